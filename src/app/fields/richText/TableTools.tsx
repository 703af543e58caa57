import type { Editor } from '@tiptap/core';
import type { Command } from '@tiptap/pm/state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable } from '@tiptap/pm/tables';
import { useRef } from 'react';
import { useRovingFocus } from '../markdown/useRovingFocus';
import * as styles from '../fields.module.css';

const tools: readonly { readonly label: string; readonly command: Command }[] = [
  { label: 'Add row below', command: addRowAfter },
  { label: 'Add column right', command: addColumnAfter },
  { label: 'Delete row', command: deleteRow },
  { label: 'Delete column', command: deleteColumn },
  { label: 'Delete table', command: deleteTable },
];

/** Changes the rows and columns of the table that has the cursor. Alt+F10 in the text leads here, Escape back. */
export function TableTools({ editor, label }: { editor: Editor; label: string }) {
  const bar = useRef<HTMLDivElement>(null);
  const rove = useRovingFocus(bar);
  const run = (change: Command) =>
    editor
      .chain()
      .focus()
      .command(({ state, dispatch }) => change(state, dispatch))
      .run();
  return (
    <div
      ref={bar}
      className={styles.editorTable}
      role="toolbar"
      aria-label={`Table in ${label}`}
      onMouseDown={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        rove(event);
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        editor.view.focus();
      }}
    >
      {tools.map((tool) => (
        <button key={tool.label} type="button" onClick={() => run(tool.command)}>
          {tool.label}
        </button>
      ))}
    </div>
  );
}
