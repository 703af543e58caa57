import { useEffect, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import {
  insertLink,
  insertPicture,
  linkAround,
  marksAround,
  toggleMark,
  type Mark,
  type MarkdownPart,
  type SelectedText,
} from '../../../engine/formats/markdown';
import { useOwnerDocument } from '../../layout/FramedContext';
import type { PicturesOfRecord } from './recordPictures';

interface MarkdownEditing {
  /** The text box that has the focus, or had it before the toolbar; null if there is none with marks. */
  target: () => HTMLTextAreaElement | null;
  pictures: PicturesOfRecord | undefined;
  /** Called with what happened, for screen readers. */
  onSpoken: (text: string) => void;
}

/** The edits of the tools, and the state of the text that has the focus. */
export interface MarkdownEdits {
  /** The marks around the selection. */
  readonly active: readonly MarkdownPart['kind'][];
  toggle(mark: Mark): void;
  /** The address of the link around the selection; empty if there is none. */
  address(): string;
  /** Whether the selection could be made a link. */
  link(address: string): boolean;
  /** Puts a picture that the record has into the text. */
  show(name: string): void;
  /** Adds a picture to the record, and puts it into the text. */
  add(file: File): void;
  /** Puts text in place of the selection. */
  insert(text: string): void;
  /** Goes back to the text. */
  focus(): void;
  /** Handles the keys of the tools; says whether the key was one. */
  onKeyDown(event: KeyboardEvent, openLink: () => void): boolean;
  /** Takes a pasted picture; says whether there was one. */
  onPaste(event: ClipboardEvent): boolean;
}

const markKeys: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', e: 'code' };
const markNames: Readonly<Record<Mark, string>> = { bold: 'bold', italic: 'italic', code: 'code' };

/**
 * Marks in the text box that has the focus.
 *
 * @example const edits = useMarkdownEdits({ target: () => box.current, pictures, onSpoken });
 */
export function useMarkdownEdits({ target, pictures, onSpoken }: MarkdownEditing): MarkdownEdits {
  const page = useOwnerDocument();
  const [active, setActive] = useState<readonly MarkdownPart['kind'][]>([]);
  useEffect(() => {
    const look = () => {
      const box = target();
      const next = box ? marksAround(selectionOf(box)) : [];
      setActive((now) => (now.join() === next.join() ? now : next));
    };
    const events = ['selectionchange', 'keyup', 'pointerup', 'focusin'];
    for (const event of events) page.addEventListener(event, look);
    return () => {
      for (const event of events) page.removeEventListener(event, look);
    };
  });

  const change = (edit: (selected: SelectedText) => SelectedText | undefined, problem: string): boolean => {
    const box = target();
    const next = box && edit(selectionOf(box));
    if (!box || !next) {
      onSpoken(problem);
      box?.focus();
      return false;
    }
    replaceText(box, next);
    return true;
  };
  const toggle = (mark: Mark) =>
    void change((selected) => toggleMark(selected, mark), `This text cannot be ${markNames[mark]} here.`);
  const show = (name: string) => void change((selected) => insertPicture(selected, name), 'No text has the focus.');
  const add = (file: File) => {
    if (pictures?.add) show(pictures.add(file));
  };
  return {
    active,
    toggle,
    address: () => {
      const box = target();
      return (box && linkAround(selectionOf(box))) ?? '';
    },
    link: (address) => change((selected) => insertLink(selected, address), 'This text cannot be a link here.'),
    show,
    add,
    insert: (insertion) =>
      void change(({ text, start, end }) => {
        const cursor = start + insertion.length;
        return { text: text.slice(0, start) + insertion + text.slice(end), start: cursor, end: cursor };
      }, 'No text has the focus.'),
    focus: () => target()?.focus(),
    onKeyDown: (event, openLink) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || target() !== event.target) return false;
      const key = event.key.toLowerCase();
      const mark = event.shiftKey ? undefined : markKeys[key];
      if (mark === undefined && !(event.shiftKey && key === 'k')) return false;
      event.preventDefault();
      event.stopPropagation();
      if (mark) toggle(mark);
      else openLink();
      return true;
    },
    onPaste: (event) => {
      if (!pictures?.add || target() !== event.target || event.clipboardData.getData('text/plain') !== '') return false;
      const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'));
      if (!file) return false;
      event.preventDefault();
      event.stopPropagation();
      add(file);
      return true;
    },
  };
}

const selectionOf = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): SelectedText => ({
  text: value,
  start: selectionStart,
  end: selectionEnd,
});

/** Types what differs, so that the browser can undo it, and React hears of it. */
function replaceText(box: HTMLTextAreaElement, { text, start, end }: SelectedText): void {
  const textBefore = box.value;
  let prefixLength = 0;
  while (prefixLength < textBefore.length && textBefore[prefixLength] === text[prefixLength]) prefixLength++;
  let suffixLength = 0;
  while (
    suffixLength < Math.min(textBefore.length, text.length) - prefixLength &&
    textBefore.at(-1 - suffixLength) === text.at(-1 - suffixLength)
  )
    suffixLength++;
  const insertion = text.slice(prefixLength, text.length - suffixLength);
  box.focus();
  box.setSelectionRange(prefixLength, textBefore.length - suffixLength);
  const page = box.ownerDocument;
  if (insertion === '') page.execCommand?.('delete');
  else page.execCommand?.('insertText', false, insertion);
  if (box.value !== text) {
    box.setRangeText(text, 0, box.value.length, 'end');
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  box.setSelectionRange(start, end);
}
