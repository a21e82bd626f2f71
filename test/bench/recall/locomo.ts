/** One conversation of a file in the format of LoCoMo, as far as the bench reads it. */
export interface Conversation {
  id: string;
  turns: Turn[];
  questions: Question[];
}

export interface Turn {
  /** As the evidence names it. */
  id: string;
  session: number;
  role: 'user' | 'assistant';
  speaker: string;
  text: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export interface Question {
  text: string;
  category: string;
  /** Ids of the turns that answer it. */
  evidence: string[];
}

/** Turns of a session have one date between them: they are stored a minute apart. */
const TURN_MS = 60_000;
const SESSION = /^session_(\d+)$/;
const DATE = /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d{4})$/;

/**
 * Reads the conversations, and of the questions those whose evidence is there. What a shared picture shows is part of
 * a turn's text, as in the published evaluations.
 */
export function readConversations(json: string): Conversation[] {
  const file = JSON.parse(json) as LocomoConversation[];
  return file.map(({ sample_id, conversation, qa }) => {
    const turns = Object.keys(conversation)
      .flatMap((key) => SESSION.exec(key)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b)
      .flatMap((session) => readSession(conversation, session));
    const ids = new Set(turns.map((turn) => turn.id));
    const questions = qa.map(({ question, category, evidence = [] }) => ({
      text: question,
      category: String(category),
      evidence: [...new Set(evidence.flatMap(turnIds))].filter((id) => ids.has(id)),
    }));
    return { id: sample_id, turns, questions: questions.filter((each) => each.evidence.length > 0) };
  });
}

interface LocomoConversation {
  sample_id: string;
  conversation: Record<string, unknown>;
  qa: { question: string; category: number; evidence?: string[] }[];
}

interface LocomoTurn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}

function readSession(conversation: Record<string, unknown>, session: number): Turn[] {
  const date = readDate(String(conversation[`session_${session}_date_time`]));
  return (conversation[`session_${session}`] as LocomoTurn[]).map(
    ({ speaker, dia_id, text, blip_caption }, position) => ({
      id: dia_id,
      session,
      role: speaker === conversation['speaker_a'] ? 'user' : 'assistant',
      speaker,
      text: blip_caption === undefined ? text : `${text} [photo: ${blip_caption}]`,
      createdAt: date + position * TURN_MS,
    }),
  );
}

function readDate(text: string): number {
  const [, hour, minute, half, day, month, year] = DATE.exec(text) ?? [];
  const date = Date.parse(`${day} ${month} ${year} UTC`);
  if (Number.isNaN(date)) throw new Error(`This date of a session cannot be read: "${text}".`);
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return date + (hours * 60 + Number(minute)) * 60_000;
}

/** Some questions name several turns in one string, and some with a colon too many. */
function turnIds(evidence: string): string[] {
  return Array.from(
    evidence.matchAll(/D:?(\d+):(\d+)/g),
    ([, session, turn]) => `D${Number(session)}:${Number(turn)}`,
  );
}
