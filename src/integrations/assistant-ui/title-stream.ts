import type { RemoteThreadListAdapter } from '@assistant-ui/react';

type AssistantStream = Awaited<ReturnType<RemoteThreadListAdapter['generateTitle']>>;

/** Returns a title as the stream that a runtime reads; the stream is empty without a title. */
export function titleStream(title: string | undefined): AssistantStream {
  return new ReadableStream({
    start(controller) {
      if (title !== undefined && title !== '') {
        controller.enqueue({ path: [], type: 'part-start', part: { type: 'text' } });
        controller.enqueue({ path: [0], type: 'text-delta', textDelta: title });
        controller.enqueue({ path: [0], type: 'part-finish' });
      }
      controller.close();
    },
  });
}
