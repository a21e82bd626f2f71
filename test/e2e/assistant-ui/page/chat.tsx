import {
  ActionBarPrimitive,
  BranchPickerPrimitive,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadListItemPrimitive,
  ThreadListPrimitive,
  ThreadPrimitive,
  useAui,
} from '@assistant-ui/react';
import { type ReactElement, useState } from 'react';

/** The smallest page that shows threads, branches and editing with the primitives of assistant-ui. */
export function Chat(): ReactElement {
  return (
    <>
      <ThreadListPrimitive.Root>
        <ThreadListPrimitive.New>New thread</ThreadListPrimitive.New>
        <ul aria-label="Threads">
          <ThreadListPrimitive.Items components={{ ThreadListItem }} />
        </ul>
        <ul aria-label="Archived">
          <ThreadListPrimitive.Items archived components={{ ThreadListItem: ArchivedItem }} />
        </ul>
      </ThreadListPrimitive.Root>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages
          components={{ UserMessage, AssistantMessage, UserEditComposer: EditComposer }}
        />
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </>
  );
}

function ThreadListItem(): ReactElement {
  const aui = useAui();
  const [name, setName] = useState('');
  return (
    <ThreadListItemPrimitive.Root render={<li />}>
      <ThreadListItemPrimitive.Trigger>
        <span data-title>
          <ThreadListItemPrimitive.Title fallback="Untitled" />
        </span>
      </ThreadListItemPrimitive.Trigger>
      <input aria-label="Name" value={name} onChange={({ target }) => setName(target.value)} />
      <button onClick={() => aui.threadListItem.rename(name)}>Rename</button>
      <ThreadListItemPrimitive.Archive>Archive</ThreadListItemPrimitive.Archive>
      <ThreadListItemPrimitive.Delete>Delete</ThreadListItemPrimitive.Delete>
    </ThreadListItemPrimitive.Root>
  );
}

function ArchivedItem(): ReactElement {
  return (
    <ThreadListItemPrimitive.Root render={<li />}>
      <span data-title>
        <ThreadListItemPrimitive.Title fallback="Untitled" />
      </span>
      <ThreadListItemPrimitive.Unarchive>Unarchive</ThreadListItemPrimitive.Unarchive>
    </ThreadListItemPrimitive.Root>
  );
}

function UserMessage(): ReactElement {
  return (
    <MessagePrimitive.Root>
      <div data-text>
        <MessagePrimitive.Parts components={{ Text }} />
      </div>
      <ActionBarPrimitive.Edit>Edit</ActionBarPrimitive.Edit>
      <Branches />
    </MessagePrimitive.Root>
  );
}

function AssistantMessage(): ReactElement {
  return (
    <MessagePrimitive.Root>
      <div data-text>
        <MessagePrimitive.Parts components={{ Text }} />
      </div>
      <ActionBarPrimitive.Reload>Again</ActionBarPrimitive.Reload>
      <Branches />
    </MessagePrimitive.Root>
  );
}

function Text({ text }: { readonly text: string }): ReactElement {
  return <p>{text}</p>;
}

function EditComposer(): ReactElement {
  return (
    <MessagePrimitive.Root>
      <ComposerPrimitive.Root>
        <ComposerPrimitive.Input aria-label="Edited message" />
        <ComposerPrimitive.Send>Save</ComposerPrimitive.Send>
      </ComposerPrimitive.Root>
    </MessagePrimitive.Root>
  );
}

function Branches(): ReactElement {
  return (
    <BranchPickerPrimitive.Root hideWhenSingleBranch>
      <BranchPickerPrimitive.Previous>Previous</BranchPickerPrimitive.Previous>
      <span data-branch>
        <BranchPickerPrimitive.Number />/<BranchPickerPrimitive.Count />
      </span>
      <BranchPickerPrimitive.Next>Next</BranchPickerPrimitive.Next>
    </BranchPickerPrimitive.Root>
  );
}
