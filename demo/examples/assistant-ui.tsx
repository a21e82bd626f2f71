import { AssistantRuntimeProvider, useRemoteThreadListRuntime } from '@assistant-ui/react';
import { useChatRuntime } from '@assistant-ui/react-ai-sdk';
import type { LanguageModel } from 'ai';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import type { Memory } from 'mnemora';
import { memoryTransport } from 'mnemora/ai-sdk';
import { memoryThreadList } from 'mnemora/assistant-ui';

interface Props {
  readonly memory: Memory;
  readonly model: LanguageModel;
  readonly children: ReactNode;
}

/** The threads of assistant-ui are sessions of the memory. Render your Thread and ThreadList below this. */
export function MemoryRuntime({ memory, model, children }: Props): ReactElement {
  const transport = useMemo(() => memoryTransport(memory, { model }), [memory, model]);
  const adapter = useMemo(() => memoryThreadList(memory), [memory]);
  const runtimeHook = () => useChatRuntime({ transport });
  const runtime = useRemoteThreadListRuntime({ adapter, runtimeHook });
  return <AssistantRuntimeProvider runtime={runtime}>{children}</AssistantRuntimeProvider>;
}
