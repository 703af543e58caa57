import { EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useId, useImperativeHandle, useRef, type Ref } from 'react';
import { useDefinitions } from '../../../src/app/admin/DefinitionsContext';
import { useDraft } from '../draft';
import { arrived, makeEditor, receive } from './editor';
import { faultField, lineOf, setFaults } from './faults';
import { knownOf } from './known';
import { language } from './language';
import { findPlace, placeOfCursor } from './places';
import type { Fault } from './words';
import './json.css';

/** What others may ask of the editor. */
export interface JsonHandle {
  /** Puts the cursor at the first fault. */
  leadToFault(): void;
}

interface JsonEditorProps {
  ref: Ref<JsonHandle>;
  faults: readonly Fault[];
  /** Told the line of the first fault whenever that may have changed; null: there is none. */
  onLine: (line: number | null) => void;
}

/** The draft as text. What is typed goes to the draft; what other faces do to the draft shows here. */
export default function JsonEditor({ ref, faults, onLine }: JsonEditorProps) {
  const draft = useDraft();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  /** What was told to the draft and has not come back from it. */
  const told = useRef<string[]>([]);
  /** The next text that comes back is a step of this editor's reader. */
  const stepping = useRef(false);
  const id = useId();

  const onWrite = useEffectEvent((text: string, apart: boolean) => {
    told.current.push(text);
    draft.write(text, apart);
  });
  const onPlace = useEffectEvent((place: string) => {
    const part = partOf(place);
    if (part !== partOf(draft.place) && part !== '') draft.go(part);
  });
  const onStep = useEffectEvent((step: 'undo' | 'redo') => {
    stepping.current = true;
    draft[step]?.();
  });
  const { registry } = useDefinitions();
  const known = useEffectEvent(() => knownOf(registry));
  const make = useEffectEvent((parent: HTMLElement) =>
    makeEditor(parent, {
      text: draft.text,
      label: `JSON of ${draft.source.labels.many}`,
      describedBy: id,
      language: language(() => known()),
      onWrite: (text, apart) => onWrite(text, apart),
      onPlace: (place) => onPlace(place),
      onUndo: () => onStep('undo'),
      onRedo: () => onStep('redo'),
    }),
  );
  useEffect(() => {
    const view = make(host.current!);
    editor.current = view;
    return () => view.destroy();
  }, []);

  useEffect(() => {
    const view = editor.current!;
    const known = told.current.indexOf(draft.text);
    // What was told since is still on its way back; anything else is somebody else's text.
    const isOnItsWay = known >= 0 && known < told.current.length - 1;
    told.current = isOnItsWay ? told.current.slice(known + 1) : [];
    if (!isOnItsWay && view.state.doc.toString() !== draft.text) receive(view, draft.text, stepping.current);
    stepping.current = false;
  }, [draft.text]);

  const tellLine = useEffectEvent(() => {
    const first = editor.current!.state.field(faultField).placed[0]?.fault;
    onLine(first ? lineOf(editor.current!.state, first) : null);
  });
  useEffect(() => {
    editor.current!.dispatch({ effects: setFaults.of(faults) });
    tellLine();
  }, [faults]);

  useEffect(() => {
    const view = editor.current!;
    const found = findPlace(view.state, draft.place);
    if (!found || partOf(placeOfCursor(view.state)) === partOf(draft.place)) return;
    const at = (found.key ?? found.value).from;
    view.dispatch({
      selection: EditorSelection.cursor(at + (found.key ? 1 : 0)),
      effects: EditorView.scrollIntoView(at, { y: 'start', yMargin: 48 }),
      annotations: arrived.of(true),
    });
  }, [draft.place]);

  useImperativeHandle(ref, () => ({
    leadToFault() {
      const view = editor.current!;
      const [first] = view.state.field(faultField).placed;
      if (!first) return;
      view.dispatch({
        selection: EditorSelection.cursor(first.span.to),
        effects: EditorView.scrollIntoView(first.span.from, { y: 'center' }),
      });
      view.focus();
    },
  }));

  return (
    <>
      <div ref={host} className="json-editor" />
      <p id={id} className="unseen">
        Press Escape and then Tab to leave the text. Control and full stop takes what is suggested for the line of the
        cursor, Control and Space offers what may stand here.
      </p>
    </>
  );
}

/** The part of the definition that a place belongs to: a field, or one thing of the list or the form. */
function partOf(place: string): string {
  return place.split('/').slice(0, 3).join('/');
}
