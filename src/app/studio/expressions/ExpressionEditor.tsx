import type { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { normalise } from '../../../engine/normalise/normalise';
import { rowDefinition } from '../../../engine/field-types/row-definition';
import { expressionOf, ExpressionError } from '../../../engine/expressions/grammar';
import { isRows } from '../../../engine/field-types/rows';
import { expressionSuggestions } from '../../../engine/studio/expression-suggestions';
import { formatJson } from '../../../engine/studio/format-source';
import { isJsonObject, isSameJson } from '../../../engine/formats/json';
import { itemAt, lastOf, requireValue } from '../../../engine/values/lookups';
import { useDraftPart, useDraftStore } from '../draft';
import { toEditorError, type EditorError } from '../json/editorError';
import { setErrors } from '../json/editorErrors';
import { replaceText, viewOf } from '../json/editor';
import { draftErrors } from '../draftPlaces';
import { useDraftValue } from '../properties/useDraftValue';
import { createExpressionEditor } from './expressionEditor';
import * as styles from './expressions.module.css';

interface Read {
  /** The value of the text; undefined if it cannot be parsed. */
  readonly value?: object;
  readonly error?: EditorError;
}

/** Reads a text as an expression; an error has its line, or its place in the expression. */
function readExpression(text: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (failure) {
    const { message } = failure as Error;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    const line = text.slice(0, position).split('\n').length;
    const instruction = 'This cannot be read yet: look for a missing quote, comma or bracket here.';
    return { error: { location: line, subject: '', message: instruction } };
  }
  if (!isJsonObject(value))
    return {
      error: { location: 1, subject: '', message: 'An expression is an object such as {"$add": ["$record.a", 1]}.' },
    };
  try {
    expressionOf(value);
  } catch (failure) {
    if (!(failure instanceof ExpressionError)) throw failure;
    const { path, message } = failure;
    const guess = / Did you mean (\$\w+)\?$/.exec(message);
    const wrongText = lastOf(path.split('/'));
    return {
      value,
      error: {
        ...{ location: path, subject: '', message: guess ? message.slice(0, guess.index) : message },
        ...(guess && { fix: { wrongText, replacement: itemAt(guess, 1) } }),
      },
    };
  }
  return { value };
}

interface ExpressionEditorProps {
  readonly pointer: string;
  /** The computed field, or the column of `rows`. */
  readonly name: string;
  readonly rows?: string | undefined;
  readonly label: string;
}

/** The editor of an expression: completes fields and functions while typing, and shows errors under their lines. */
export default function ExpressionEditor({ pointer, name, rows, label }: ExpressionEditorProps) {
  const store = useDraftStore();
  const { value, set } = useDraftValue(pointer);
  const { valid, planned: planErrors } = useDraftPart((draft) => ({
    valid: draft.valid.source,
    planned: draftErrors(draft).filter(({ path }) => path === pointer || path.startsWith(`${pointer}/`)),
  }));
  const definition = useMemo(() => {
    const fullDefinition = normalise(valid);
    const field = rows === undefined ? undefined : fullDefinition.fields[rows];
    return field && isRows(field) ? rowDefinition(fullDefinition, field) : fullDefinition;
  }, [valid, rows]);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const id = useId();
  const [read, setRead] = useState<Read>(() => ({ value: value as object }));
  /** The value that this editor wrote last: the same value from elsewhere does not change its text. */
  const lastValue = useRef<unknown>(value);

  const onWrite = useEffectEvent((text: string) => {
    const next = readExpression(text);
    setRead(next);
    if (!next.value) return;
    lastValue.current = next.value;
    set(next.value);
  });
  const onStep = useEffectEvent((step: 'undo' | 'redo') => store.get()[step]?.());
  const suggestions = useEffectEvent(() => expressionSuggestions(definition, name));
  const make = useEffectEvent((parent: HTMLElement) =>
    createExpressionEditor(parent, {
      text: formatJson(value),
      label,
      describedBy: id,
      suggestions: () => suggestions(),
      onWrite: (text) => onWrite(text),
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
    if (isSameJson(value, lastValue.current)) return;
    lastValue.current = value;
    replaceText(viewOf(editor), formatJson(value), false);
    setRead({ value: value as object });
  }, [value]);

  const visibleErrors = useMemo(() => {
    if (read.error) return [read.error];
    return planErrors.map((error) => {
      const { location, ...rest } = toEditorError(error, valid);
      return { ...rest, location: typeof location === 'string' ? location.slice(pointer.length) : location };
    });
  }, [read, planErrors, valid, pointer]);
  useEffect(() => {
    viewOf(editor).dispatch({ effects: setErrors.of(visibleErrors) });
  }, [visibleErrors]);

  return (
    <>
      <div ref={host} className={styles.expressionEditor} data-bad={visibleErrors.length > 0 || undefined} />
      <p id={id} className="unseen">
        Fields and functions are offered while you type, or with Control and Space. Control and full stop applies a
        suggested fix. Tab leaves the editor.
      </p>
      <p role="status" className="unseen">
        {visibleErrors.map(({ subject, message }) => `${subject}${message}`).join(' ')}
      </p>
    </>
  );
}
