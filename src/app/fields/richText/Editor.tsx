import { EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useState } from 'react';
import { useNotify } from 'react-admin';
import type { InputProps } from '../fieldType';
import { usePasteLimit } from '../usePasteLimit';
import { focusToolbar } from '../markdown/useRovingFocus';
import { readPastedMarkup } from './pastedMarkup';
import { tables } from './tables';
import { openSnippets } from '../snippets/SnippetButton';
import { snippetSubject } from '../snippets/subject';
import { useFocusAtEnd } from './returnToText';
import { TableTools } from './TableTools';
import { Toolbar } from './Toolbar';
import * as styles from '../fields.module.css';

const extensions = [StarterKit.configure({ link: { openOnClick: false, defaultProtocol: 'https' } }), ...tables];

const picturesMessage = (count: number) =>
  `${count === 1 ? 'A picture was' : `${count} pictures were`} not pasted: texts have no pictures. Add them as files of the record.`;

/** A rich text editor, with a toolbar unless it is read-only. */
export function Editor({ id, value, onChange, height, ...props }: InputProps & { height: number }) {
  const html = typeof value === 'string' ? value : '';
  const [ownHtml, setOwnHtml] = useState(html);
  const notify = useNotify();
  const refusePaste = usePasteLimit(props.field);
  const editor = useEditor({
    extensions,
    content: html,
    editable: !props.readOnly,
    injectCSS: false,
    editorProps: {
      handleDOMEvents: { paste: (_, event) => refusePaste(event) },
      transformPastedHTML: (pasted) => {
        const { html: markup, pictures } = readPastedMarkup(pasted);
        if (pictures > 0) notify(picturesMessage(pictures), { type: 'warning' });
        return markup;
      },
      attributes: {
        id,
        class: `formatted ${styles.editorText}`,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': `${id}-label`,
        ...(props.readOnly && { 'aria-readonly': 'true', tabindex: '0' }),
        ...(props.required && { 'aria-required': 'true' }),
        ...(props.invalid && { 'aria-invalid': 'true' }),
        ...(props.describedBy && { 'aria-describedby': props.describedBy }),
      },
    },
    onUpdate: ({ editor: updated }) => {
      const text = updated.isEmpty ? '' : updated.getHTML();
      setOwnHtml(text);
      onChange(text === '' ? undefined : text);
    },
  });
  useFocusAtEnd(editor, props.autoFocus === true);
  useEffect(() => {
    // The value changed from outside: a reset, or another user's version.
    if (html === ownHtml) return;
    setOwnHtml(html);
    editor.commands.setContent(html, { emitUpdate: false });
  }, [html, ownHtml, editor]);
  // A text that begins with a table has its cursor there before anybody is in it.
  const [isUsed, setUsed] = useState(false);
  const isInTable = useEditorState({ editor, selector: ({ editor: current }) => current.isActive('table') });
  return (
    <div
      className={styles.editor}
      onFocus={() => setUsed(true)}
      onKeyDown={(event) => {
        if (openSnippets(event)) return;
        if (!event.altKey || event.key !== 'F10' || !isInTable) return;
        event.preventDefault();
        event.stopPropagation();
        focusToolbar(event.currentTarget);
      }}
      style={{ minHeight: height }}
      data-invalid={props.invalid || undefined}
      data-readonly={props.readOnly || undefined}
    >
      {!props.readOnly && <Toolbar editor={editor} label={props.field.label} subject={snippetSubject(props)} />}
      <EditorContent editor={editor} className={styles.editorBody} />
      {!props.readOnly && isUsed && isInTable && <TableTools editor={editor} label={props.field.label} />}
    </div>
  );
}
