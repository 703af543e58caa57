import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Additional indent of wrapped lines, in characters. */
const wrapIndent = 2;

/** Wrapped lines continue below their own start, indented one step further. */
export const hangingIndent: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = indents(view);
    }

    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = indents(update.view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function indents(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from: start, to: end } of view.visibleRanges) {
    for (let position = start; position <= end;) {
      const line = view.state.doc.lineAt(position);
      const indent = (/^ */.exec(line.text)?.[0].length ?? 0) + wrapIndent;
      builder.add(line.from, line.from, Decoration.line({ attributes: { style: `--indent: ${indent}ch` } }));
      position = line.to + 1;
    }
  }
  return builder.finish();
}
