import { StateEffect, StateField, type EditorState, type Range } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type Command, type DecorationSet } from '@codemirror/view';
import { findPlace, type Span } from './places';
import type { EditorError } from './editorError';
import * as styles from './json.module.css';

interface LocatedError {
  readonly fault: EditorError;
  /** What is underlined. */
  readonly span: Span;
}

interface ShownErrors {
  readonly errors: readonly LocatedError[];
  readonly decorations: DecorationSet;
}

/** Replaces the errors that are shown. */
export const setErrors = StateEffect.define<readonly EditorError[]>();

/** The errors that are shown: underlined, each with its message in a block below its line. */
export const errorField = StateField.define<ShownErrors>({
  create: () => ({ errors: [], decorations: Decoration.none }),
  update(shown, transaction) {
    const effect = transaction.effects.find((one) => one.is(setErrors));
    if (effect) return show(transaction.state, effect.value as readonly EditorError[]);
    if (!transaction.docChanged || shown.errors.length === 0) return shown;
    const { changes } = transaction;
    return {
      errors: shown.errors.map(({ fault, span }) => ({
        fault,
        span: { from: changes.mapPos(span.from, 1), to: changes.mapPos(span.to, -1) },
      })),
      decorations: shown.decorations.map(changes),
    };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

/** The line of an error, from 1. */
export function lineOf(state: EditorState, fault: EditorError): number {
  return state.doc.lineAt(spanOf(state, fault).from).number;
}

/** Applies the suggested fix of the first error on the cursor's line. */
export const fixLine: Command = (view) => {
  const { state } = view;
  const line = state.doc.lineAt(state.selection.main.head).number;
  const { errors } = state.field(errorField);
  const here = errors.find(({ fault, span }) => fault.fix && state.doc.lineAt(span.from).number === line);
  if (here) applyFix(view, here.fault);
  return here !== undefined;
};

function show(state: EditorState, faults: readonly EditorError[]): ShownErrors {
  const placed = faults.map((fault) => ({ fault, span: spanOf(state, fault) }));
  const ranges = placed.flatMap(({ fault, span }): Range<Decoration>[] => {
    const block = Decoration.widget({ widget: new ErrorBlock(fault), block: true, side: 1 });
    const underline =
      span.to > span.from ? [Decoration.mark({ class: styles.jsonWrong }).range(span.from, span.to)] : [];
    return [...underline, block.range(state.doc.lineAt(span.from).to)];
  });
  return { errors: placed, decorations: Decoration.set(ranges, true) };
}

/** The span to underline: the key if the error is about it, else the first line of the value. */
function spanOf(state: EditorState, { place, fix: wish }: EditorError): Span {
  const { doc } = state;
  if (typeof place === 'number') {
    const line = doc.line(Math.min(Math.max(place, 1), doc.lines));
    return { from: line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0), to: line.to };
  }
  const found = findPlace(state, place);
  if (!found) return { from: 0, to: 0 };
  if (found.pointer !== place || !found.key) return firstLine(state, found.key ?? found.value);
  const inValue = wish && !place.endsWith(`/${wish.wrong}`);
  return firstLine(state, inValue ? found.value : found.key);
}

function firstLine(state: EditorState, { from, to }: Span): Span {
  return { from, to: Math.min(to, state.doc.lineAt(from).to) };
}

function applyFix(view: EditorView, fault: EditorError): void {
  const { state } = view;
  const found = typeof fault.place === 'string' ? findPlace(state, fault.place) : undefined;
  if (!found || !fault.fix || found.pointer !== fault.place) return;
  const { wrong, right } = fault.fix;
  const spans = [found.key, found.value].filter((span) => span !== undefined);
  const target = spans
    .map(({ from, to }) => ({ from, at: state.sliceDoc(from, to).indexOf(wrong) }))
    .find(({ at }) => at >= 0);
  if (!target) return;
  const from = target.from + target.at;
  view.dispatch({
    changes: { from, to: from + wrong.length, insert: right },
    selection: { anchor: from + right.length },
    userEvent: 'input.fix',
    scrollIntoView: true,
  });
  view.focus();
}

class ErrorBlock extends WidgetType {
  constructor(private readonly fault: EditorError) {
    super();
  }

  override eq(other: ErrorBlock): boolean {
    return JSON.stringify(this.fault) === JSON.stringify(other.fault);
  }

  toDOM(view: EditorView): HTMLElement {
    // Padding instead of margins: the editor ignores margins when measuring, and line numbers would be misplaced.
    const frame = Object.assign(document.createElement('div'), { className: styles.jsonFaultFrame });
    const block = Object.assign(document.createElement('div'), { className: styles.jsonFault });
    frame.append(block);
    const { subject, message, fix: wish } = this.fault;
    if (subject) block.append(Object.assign(document.createElement('b'), { textContent: subject }));
    block.append(message);
    if (wish) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = wish.right;
      button.addEventListener('click', () => applyFix(view, this.fault));
      block.append(' Did you mean ', button, '?');
    }
    return frame;
  }

  /** The button handles its own clicks and keys. */
  override ignoreEvent(): boolean {
    return true;
  }
}
