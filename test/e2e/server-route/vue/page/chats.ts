import type { Chat } from '@ai-sdk/vue';
import type { UIMessage } from 'ai';
import type { Memory } from 'mnemora';
import { defineComponent, h, ref, shallowRef, type Component } from 'vue';
import { useFacts } from '../../../../../demo/examples/recipes/vue-facts.ts';
import { lineOf } from '../../message-text.ts';
import { submittedText } from '../../submitted-text.ts';

export type VueChat = Chat<never>;

/** Returns a component that shows one of two chats. */
export function chats(memory: Memory, open: (id: string) => Promise<VueChat>, first: VueChat): Component {
  return defineComponent(() => {
    const chat = shallowRef(first);
    const edited = ref<string>();
    const facts = useFacts(memory);
    const change = async (event: Event): Promise<void> => {
      chat.value = await open((event.target as HTMLSelectElement).value);
    };
    const send = (event: Event): void => {
      const text = submittedText(event);
      const messageId = edited.value;
      edited.value = undefined;
      void chat.value.sendMessage(messageId === undefined ? { text } : { text, messageId });
    };
    return () => [
      h('select', { 'aria-label': 'Chat', value: chat.value.id, onChange: change }, [
        h('option', 'trip'),
        h('option', 'second'),
      ]),
      h(
        'ol',
        { 'aria-label': 'Messages' },
        (chat.value.messages as UIMessage[]).map((message) =>
          h('li', { key: message.id }, [
            h('p', lineOf(message)),
            message.role === 'user'
              ? h('button', { onClick: () => void (edited.value = message.id) }, 'Edit')
              : undefined,
          ]),
        ),
      ),
      h('form', { onSubmit: send }, [h('input', { name: 'question', 'aria-label': 'Message' })]),
      h('button', { onClick: () => void chat.value.regenerate() }, 'Regenerate'),
      h('button', { onClick: () => void chat.value.stop() }, 'Stop'),
      h('p', { role: 'status' }, chat.value.status),
      chat.value.error ? h('p', { role: 'alert' }, chat.value.error.message) : undefined,
      h(
        'ul',
        { 'aria-label': 'Facts' },
        facts.value?.data?.map(({ id, subject, predicate, object }) =>
          h('li', { key: id }, `${subject} ${predicate} ${object}`),
        ),
      ),
    ];
  });
}
