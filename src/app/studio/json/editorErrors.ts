import { StateEffect, StateField, type EditorState, type Range } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type Command, type DecorationSet } from '@codemirror/view';
import { findPlace, type Span } from './jsonPlaces';
import type { EditorError } from './editorError';
import * as styles from './json.module.css';

interface LocatedError {
  readonly fault: EditorError;
  /** The underlined span. */
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
  update(shownErrors, transaction) {
    const effect = transaction.effects.find((candidate) => candidate.is(setErrors));
    if (effect) return show(transaction.state, effect.value as readonly EditorError[]);
    if (!transaction.docChanged || shownErrors.errors.length === 0) return shownErrors;
    const { changes } = transaction;
    return {
      errors: shownErrors.errors.map(({ fault, span }) => ({
        fault,
        span: { from: changes.mapPos(span.from, 1), to: changes.mapPos(span.to, -1) },
      })),
      decorations: shownErrors.decorations.map(changes),
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
  const error = errors.find(({ fault, span }) => fault.fix && state.doc.lineAt(span.from).number === line);
  if (error) applyFix(view, error.fault);
  return error !== undefined;
};

function show(state: EditorState, faults: readonly EditorError[]): ShownErrors {
  const locatedErrors = faults.map((fault) => ({ fault, span: spanOf(state, fault) }));
  const ranges = locatedErrors.flatMap(({ fault, span }): Range<Decoration>[] => {
    const block = Decoration.widget({ widget: new ErrorBlock(fault), block: true, side: 1 });
    const underline =
      span.to > span.from ? [Decoration.mark({ class: styles.jsonWrong }).range(span.from, span.to)] : [];
    return [...underline, block.range(state.doc.lineAt(span.from).to)];
  });
  return { errors: locatedErrors, decorations: Decoration.set(ranges, true) };
}

/** The span to underline: the key if the error is about it, else the first line of the value. */
function spanOf(state: EditorState, { location, fix }: EditorError): Span {
  const { doc } = state;
  if (typeof location === 'number') {
    const line = doc.line(Math.min(Math.max(location, 1), doc.lines));
    return { from: line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0), to: line.to };
  }
  const foundPlace = findPlace(state, location);
  if (!foundPlace) return { from: 0, to: 0 };
  if (foundPlace.pointer !== location || !foundPlace.key) return firstLine(state, foundPlace.key ?? foundPlace.value);
  const inValue = fix && !location.endsWith(`/${fix.wrongText}`);
  return firstLine(state, inValue ? foundPlace.value : foundPlace.key);
}

function firstLine(state: EditorState, { from: start, to: end }: Span): Span {
  return { from: start, to: Math.min(end, state.doc.lineAt(start).to) };
}

function applyFix(view: EditorView, fault: EditorError): void {
  const { state } = view;
  const foundPlace = typeof fault.location === 'string' ? findPlace(state, fault.location) : undefined;
  if (!foundPlace || !fault.fix || foundPlace.pointer !== fault.location) return;
  const { wrongText, replacement } = fault.fix;
  const spans = [foundPlace.key, foundPlace.value].filter((span) => span !== undefined);
  const target = spans
    .map(({ from: start, to: end }) => ({ from: start, at: state.sliceDoc(start, end).indexOf(wrongText) }))
    .find(({ at: offset }) => offset >= 0);
  if (!target) return;
  const textStart = target.from + target.at;
  view.dispatch({
    changes: { from: textStart, to: textStart + wrongText.length, insert: replacement },
    selection: { anchor: textStart + replacement.length },
    userEvent: 'input.fix',
    scrollIntoView: true,
  });
  view.focus();
}

class ErrorBlock extends WidgetType {
  constructor(private readonly fault: EditorError) {
    super();
  }

  override eq(otherBlock: ErrorBlock): boolean {
    return JSON.stringify(this.fault) === JSON.stringify(otherBlock.fault);
  }

  toDOM(view: EditorView): HTMLElement {
    // Padding instead of margins: the editor ignores margins when measuring, and line numbers would be misplaced.
    const frame = Object.assign(document.createElement('div'), { className: styles.jsonFaultFrame });
    const block = Object.assign(document.createElement('div'), { className: styles.jsonFault });
    frame.append(block);
    const { subject, message, fix } = this.fault;
    if (subject) block.append(Object.assign(document.createElement('b'), { textContent: subject }));
    block.append(message);
    if (fix) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = fix.replacement;
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
