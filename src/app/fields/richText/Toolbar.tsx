import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import type { MouseEvent } from 'react';
import { Icon } from '../../icons/Icon';
import { SnippetButton } from '../snippets/SnippetButton';
import type { SnippetSubject } from '../snippets/subject';
import { LinkButton } from './LinkButton';
import * as styles from '../fields.module.css';
import { firstOf } from '../../../engine/values/lookups';

interface Tool {
  name: string;
  label: string;
  icon: string;
  run: (editor: Editor) => void;
}

const groups: readonly (readonly Tool[])[] = [
  [
    { name: 'bold', label: 'Bold', icon: 'bold', run: (editor) => editor.chain().focus().toggleBold().run() },
    { name: 'italic', label: 'Italic', icon: 'italic', run: (editor) => editor.chain().focus().toggleItalic().run() },
  ],
  [
    {
      name: 'bulletList',
      label: 'List',
      icon: 'list',
      run: (editor) => editor.chain().focus().toggleBulletList().run(),
    },
    {
      name: 'orderedList',
      label: 'Numbered list',
      icon: 'list-ordered',
      run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    },
  ],
];
const code: Tool = {
  name: 'code',
  label: 'Code',
  icon: 'code',
  run: (editor) => editor.chain().focus().toggleCode().run(),
};

interface ToolbarProps {
  editor: Editor;
  label: string;
  /** The record that the text is about; without one, there are no snippets. */
  subject?: SnippetSubject | undefined;
}

/** Formatting buttons for the selected text, and one for snippets. */
export function Toolbar({ editor, label, subject }: ToolbarProps) {
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      active: ['bold', 'italic', 'bulletList', 'orderedList', 'link', 'code'].filter((name) => current.isActive(name)),
      canUndo: current.can().undo(),
    }),
  });
  const button = (tool: Tool) => (
    <button
      key={tool.name}
      type="button"
      aria-label={tool.label}
      title={tool.label}
      aria-pressed={state.active.includes(tool.name)}
      onClick={() => tool.run(editor)}
    >
      <Icon name={tool.icon} />
    </button>
  );
  return (
    <div className={styles.editorTools} role="toolbar" aria-label={`Format ${label}`} onMouseDown={keepCursor}>
      {groups.map((tools) => (
        <span key={firstOf(tools).name} className={styles.editorGroup}>
          {tools.map(button)}
        </span>
      ))}
      <span className={styles.editorGroup}>
        <LinkButton editor={editor} active={state.active.includes('link')} />
        {button(code)}
        {subject && (
          <SnippetButton
            subject={subject}
            onInsert={(markup) => {
              editor.view.focus();
              editor.chain().insertContent(markup).run();
            }}
            onLeave={() => editor.view.focus()}
          />
        )}
      </span>
      <button
        type="button"
        className={styles.editorUndo}
        aria-label="Undo"
        title="Undo"
        disabled={!state.canUndo}
        onClick={() => editor.chain().focus().undo().run()}
      >
        <Icon name="undo" />
      </button>
    </div>
  );
}

/** Keeps the cursor in the text when a button is pressed, so that typing can continue. */
function keepCursor(event: MouseEvent<HTMLElement>): void {
  // React events bubble out of the link dialog's portal too, where the default is wanted.
  if (event.currentTarget.contains(event.target as Node)) event.preventDefault();
}
