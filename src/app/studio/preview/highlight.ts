import type { Definition } from '../../../engine/definitions/definition';
import * as styles from './preview.module.css';

/** The names of the fields that are new in the draft. */
export function newFields(definition: Definition, publishedDefinition: Definition | undefined): string[] {
  if (!publishedDefinition) return [];
  const names = new Set(Object.keys(publishedDefinition.fields));
  return Object.values(definition.fields)
    .filter(({ name, formerName }) => !names.has(name) && !names.has(formerName ?? ''))
    .map(({ name }) => name);
}

/** The field that a place belongs to; undefined if it belongs to none. */
export function fieldAt(pointer: string): string | undefined {
  return /^\/fields\/([^/]+)/.exec(pointer)?.[1];
}

const columnSelector = (name: string) => `.MuiDataGrid-columnHeader[data-field="${name}"]`;
const cellsSelector = (name: string) => `.MuiDataGrid-cell[data-field="${name}"]`;
const inputSelector = (name: string) => `.field[data-field="${name}"]`;

const newBadge = `content: 'new' / 'new'; display: inline-block; flex: none; margin-left: 6px; padding: 0 5px; border-radius: 4px;
  background: var(--low-bg); color: var(--low-t); font-size: 10px; line-height: 16px; font-weight: 500;`;

/** CSS that highlights new fields and the selected field. */
export function highlightCss(newNames: readonly string[], selectedName: string | undefined): string {
  const badgeRules = newNames.map(
    (name) => `
${columnSelector(name)} .MuiDataGrid-columnHeaderTitle::after, ${inputSelector(name)} .field-label label::after { ${newBadge} }
${inputSelector(name)} .MuiOutlinedInput-notchedOutline { border-color: var(--low) !important; box-shadow: inset 0 0 0 1px var(--low); }`,
  );
  const ring =
    selectedName === undefined
      ? ''
      : `
${columnSelector(selectedName)} { box-shadow: inset 0 0 0 2px var(--ring); }
${cellsSelector(selectedName)} { background: color-mix(in srgb, var(--tint) 45%, transparent); }
${inputSelector(selectedName)} { border-radius: 6px; box-shadow: 0 0 0 6px var(--surface), 0 0 0 8px var(--ring); }`;
  return badgeRules.join('') + ring;
}

/** Height in pixels of the save bar, which covers the bottom of the page if the whole page scrolls. */
const saveBarHeight = 68;
const margin = 12;

/** Scrolls horizontally to a field's column; returns false if there is none. */
export function scrollToColumn(page: Document, name: string): boolean {
  const column = page.querySelector(columnSelector(name));
  const scroller = column?.closest('.MuiDataGrid-root')?.querySelector('.MuiDataGrid-virtualScroller');
  if (!column || !scroller) return false;
  const [outer, inner] = [scroller.getBoundingClientRect(), column.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right)
    scroller.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  return true;
}

/** Scrolls the form, or the page, to a field's input; returns false if there is none. */
export function scrollToInput(page: Document, name: string): boolean {
  const field = page.querySelector(inputSelector(name));
  const form = field?.closest(`.${styles.previewForm} > *`);
  if (!field || !form) return false;
  const isOwn = form.scrollHeight > form.clientHeight + 1;
  const { top, bottom } = isOwn
    ? form.getBoundingClientRect()
    : { top: 0, bottom: page.documentElement.clientHeight - saveBarHeight };
  const { top: first, bottom: last } = field.getBoundingClientRect();
  const scroller = isOwn ? form : page.documentElement;
  if (first < top + margin || last > bottom - margin) scroller.scrollTop += (first + last - top - bottom) / 2;
  return true;
}
