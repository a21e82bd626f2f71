import { AssistantRuntimeProvider } from '@assistant-ui/react';
import { useChatRuntime } from '@assistant-ui/react-ai-sdk';
import { DirectChatTransport, type LanguageModel, ToolLoopAgent } from 'ai';
import { type ReactElement, type ReactNode, useMemo } from 'react';

/** What `runtime.tsx` has, as it is without this library: the other build of the page has it instead. */
export function MemoryRuntime({
  model,
  children,
}: {
  readonly model: LanguageModel;
  readonly children: ReactNode;
}): ReactElement {
  const transport = useMemo(() => new DirectChatTransport({ agent: new ToolLoopAgent({ model }) }), [model]);
  const runtime = useChatRuntime({ transport });
  return <AssistantRuntimeProvider runtime={runtime}>{children}</AssistantRuntimeProvider>;
}

export const openMemory = async (): Promise<undefined> => undefined;
