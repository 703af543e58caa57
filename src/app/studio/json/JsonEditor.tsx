import { EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useId, useImperativeHandle, useRef, type Ref } from 'react';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useDraft } from '../draft';
import { createEditor, externalChange, replaceText, viewOf } from './editor';
import { errorField, lineOf, setErrors } from './editorErrors';
import { language } from './language';
import { findPlace, placeOfCursor } from './jsonPlaces';
import type { EditorError } from './editorError';
import * as styles from './json.module.css';
import { requireValue } from '../../../engine/values/lookups';
import { isStoredRelation } from '../../../engine/field-types/relation';
import { isPathField } from '../../../engine/registry/path-fields';
import type { Registry } from '../../../engine/registry/registry';
import type { KnownNames } from '../../../engine/studio/schema-suggestions';
import { iconNames } from '../../icons/icons';

/** The editor's imperative handle. */
export interface JsonHandle {
  /** Moves the cursor to the first error. */
  leadToFault(): void;
}

interface JsonEditorProps {
  ref: Ref<JsonHandle>;
  errors: readonly EditorError[];
  /** Called with the line of the first error, null if there is none, whenever it may have changed. */
  onLine: (line: number | null) => void;
}

/** The draft as text. Typing changes the draft; changes by other panes appear here. */
export default function JsonEditor({ ref, errors, onLine }: JsonEditorProps) {
  const draft = useDraft();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  /** Texts that were written to the draft and have not come back from it yet. */
  const pendingTexts = useRef<string[]>([]);
  /** Whether the next text comes from an undo or redo in this editor. */
  const stepping = useRef(false);
  const id = useId();

  const onWrite = useEffectEvent((text: string, isSeparate: boolean) => {
    pendingTexts.current.push(text);
    draft.write(text, isSeparate);
  });
  const onPlace = useEffectEvent((pointer: string) => {
    const part = partOf(pointer);
    if (part !== partOf(draft.pointer) && part !== '') draft.go(part);
  });
  const onStep = useEffectEvent((step: 'undo' | 'redo') => {
    stepping.current = true;
    draft[step]?.();
  });
  const { registry } = useDefinitions();
  const namesOfRegistry = useEffectEvent(() => knownNames(registry));
  const make = useEffectEvent((parent: HTMLElement) =>
    createEditor(parent, {
      text: draft.text,
      label: `JSON of ${draft.source.labels.many}`,
      describedBy: id,
      language: language(() => namesOfRegistry()),
      onWrite: (text, isSeparate) => onWrite(text, isSeparate),
      onPlace: (pointer) => onPlace(pointer),
      onUndo: () => onStep('undo'),
      onRedo: () => onStep('redo'),
    }),
  );
  useEffect(() => {
    const view = make(requireValue(host.current, 'the element of the editor'));
    editor.current = view;
    return () => view.destroy();
  }, []);

  useEffect(() => {
    const view = viewOf(editor);
    const textIndex = pendingTexts.current.indexOf(draft.text);
    // A newer text is still on its way back; any unknown text is a change by another pane.
    const isOnItsWay = textIndex >= 0 && textIndex < pendingTexts.current.length - 1;
    pendingTexts.current = isOnItsWay ? pendingTexts.current.slice(textIndex + 1) : [];
    if (!isOnItsWay && view.state.doc.toString() !== draft.text) replaceText(view, draft.text, stepping.current);
    stepping.current = false;
  }, [draft.text]);

  const reportLine = useEffectEvent(() => {
    const first = viewOf(editor).state.field(errorField).errors[0]?.fault;
    onLine(first ? lineOf(viewOf(editor).state, first) : null);
  });
  useEffect(() => {
    viewOf(editor).dispatch({ effects: setErrors.of(errors) });
    reportLine();
  }, [errors]);

  useEffect(() => {
    const view = viewOf(editor);
    const location = findPlace(view.state, draft.pointer);
    if (!location || partOf(placeOfCursor(view.state)) === partOf(draft.pointer)) return;
    const start = (location.key ?? location.value).from;
    view.dispatch({
      selection: EditorSelection.cursor(start + (location.key ? 1 : 0)),
      effects: EditorView.scrollIntoView(start, { y: 'start', yMargin: 48 }),
      annotations: externalChange.of(true),
    });
  }, [draft.pointer]);

  useImperativeHandle(ref, () => ({
    leadToFault() {
      const view = viewOf(editor);
      const [first] = view.state.field(errorField).errors;
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
      <div ref={host} className={styles.jsonEditor} />
      <p id={id} className="unseen">
        Press Escape and then Tab to leave the editor. Control and full stop applies the suggested fix of the current
        line, Control and Space shows completions.
      </p>
    </>
  );
}

/** The part of the definition that a place belongs to: the first two steps of its pointer. */
function partOf(pointer: string): string {
  return pointer.split('/').slice(0, 3).join('/');
}

/** Names for completion: the other definitions, their fields, and the icons. */
function knownNames(registry: Registry): KnownNames {
  return {
    resources: [...registry.definitions.keys()],
    fieldsOf: (resource) =>
      Object.values(registry.get(resource)?.fields ?? {}).flatMap((field) => (isPathField(field) ? [] : [field.name])),
    relationsOf: (resource) => {
      const relations = Object.values(registry.get(resource)?.fields ?? {}).filter(isStoredRelation);
      return relations.map(({ name, embed = name, to: target }) => ({ name: embed, to: target }));
    },
    relationsTo: (resource) =>
      registry.referencesTo(resource).map(({ definition, field }) => `${definition.name}.${field.name}`),
    icons: iconNames,
  };
}
