import type { Memory } from '../../../../src/index.ts';

const PAUSE_MS = 20;

/** Remembers one turn after the other until it is stopped, each as often as it takes. */
export class SteadyWriter {
  /** Ids of the turns that were acknowledged, in their order. */
  readonly acknowledged: string[] = [];
  /** What each refused call rejected with. */
  readonly refused: string[] = [];
  #isStopped = false;
  #end: Promise<void> = Promise.resolve();

  start(memory: Memory): void {
    this.#end = this.#write(memory);
  }

  /** Resolves when this number of turns more was acknowledged, to the number of calls refused meanwhile. */
  async goesOn(turns: number): Promise<number> {
    const [acknowledged, refused] = [this.acknowledged.length + turns, this.refused.length];
    while (this.acknowledged.length < acknowledged) await pause();
    return this.refused.length - refused;
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#end;
  }

  async #write(memory: Memory): Promise<void> {
    for (let n = 0; !this.#isStopped; await pause()) {
      try {
        const turn = { user: `I saw the boat b${n}.`, assistant: 'I see.' };
        await memory.remember(turn, { turnId: `t${n}` });
        this.acknowledged.push(`t${n}`);
        n += 1;
      } catch (error) {
        this.refused.push(String(error));
      }
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
