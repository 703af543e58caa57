import { EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useState } from 'react';
import { useNotify } from 'react-admin';
import type { InputProps } from '../fieldType';
import { usePasteLimit } from '../usePasteLimit';
import { focusToolbar } from '../markdown/useRovingFocus';
import { openSnippets } from '../snippets/SnippetButton';
import { snippetSubject } from '../snippets/subject';
import { useFocusAtEnd } from './returnToText';
import { TableTools } from './TableTools';
import { Toolbar } from './Toolbar';
import * as styles from '../fields.module.css';
import { lastOf } from '../../../engine/values/lookups';
import { Node } from '@tiptap/core';
import { goToNextCell } from '@tiptap/pm/tables';

/** How many columns or rows a cell covers; one is not written. */
const span = (name: string) => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Math.max(1, Number(element.getAttribute(name)) || 1),
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
});

const cell = (name: string, tag: string) =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => ({ colspan: span('colspan'), rowspan: span('rowspan') }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

/** How the commands of tables know the nodes. */
const tableRoles: Readonly<Record<string, string>> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
};

/**
 * Tables as they were pasted or stored: their cells can be edited, and nothing of them is flattened. Tab goes to the next
 * cell and Shift+Tab to the one before; from the last and the first one they leave the text, as everywhere.
 */
const tables = [
  Node.create({
    name: 'table',
    group: 'block',
    content: 'tableRow+',
    isolating: true,
    extendNodeSchema: ({ name }) => ({ tableRole: tableRoles[name] }),
    parseHTML: () => [{ tag: 'table' }],
    renderHTML: () => ['table', ['tbody', 0]],
    addKeyboardShortcuts: () => ({
      Tab: ({ editor }) => editor.commands.command(({ state, dispatch }) => goToNextCell(1)(state, dispatch)),
      'Shift-Tab': ({ editor }) => editor.commands.command(({ state, dispatch }) => goToNextCell(-1)(state, dispatch)),
    }),
  }),
  Node.create({
    name: 'tableRow',
    content: '(tableCell | tableHeader)+',
    parseHTML: () => [{ tag: 'tr' }],
    renderHTML: () => ['tr', 0],
  }),
  cell('tableCell', 'td'),
  cell('tableHeader', 'th'),
];

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

/** Markup of the clipboard as the editor reads it, and how many pictures were in it, which no text here has. */
interface PastedMarkup {
  readonly html: string;
  readonly pictures: number;
}

/** A list of a word processor that is open, with its level and whether it is numbered. */
interface OpenList {
  readonly list: HTMLElement;
  readonly level: number;
}

/**
 * Rewrites pasted markup: word processors write the items of a list as paragraphs with a mark, which become lists
 * again. The document is parsed without loading anything.
 */
function readPastedMarkup(html: string): PastedMarkup {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const images = [...page.querySelectorAll('img')];
  for (const image of images) image.remove();
  let open: OpenList[] = [];
  for (const item of page.querySelectorAll<HTMLElement>('p[style*="mso-list:"], h1[style*="mso-list:"]')) {
    const level = Number(/mso-list:[^;]*\blevel(\d+)/.exec(item.getAttribute('style') ?? '')?.[1] ?? 1);
    const mark = item.querySelector<HTMLElement>('[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]');
    const tag = /^\s*(?:\d+|[a-z]{1,4})[.)]/i.test(mark?.textContent ?? '') ? 'ol' : 'ul';
    mark?.remove();
    if (item.previousElementSibling !== open[0]?.list) open = [];
    while (open.length > 1 && lastOf(open).level > level) open.pop();
    const top = open.at(-1);
    const isNested = top !== undefined && top.level < level;
    if (!top || isNested || top.list.localName !== tag) {
      const list = page.createElement(tag);
      const container = isNested ? top.list.lastElementChild : top && open.length > 1 ? top.list.parentElement : null;
      if (container) container.append(list);
      else item.before(list);
      open = [...(isNested ? open : open.slice(0, container ? -1 : 0)), { list, level }];
    }
    const line = page.createElement('li');
    const text = page.createElement('p');
    text.append(...item.childNodes);
    line.append(text);
    lastOf(open).list.append(line);
    item.remove();
  }
  return { html: page.body.innerHTML, pictures: images.length };
}
