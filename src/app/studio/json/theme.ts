import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent-text)' },
  { tag: tags.string, color: 'var(--low-t)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--high-t)' },
]);

const smallText = { font: '400 12px/16px var(--font)' };
const raised = {
  border: '1px solid var(--line-2)',
  borderRadius: 'var(--r)',
  background: 'var(--raised)',
  color: 'var(--t1)',
  boxShadow: 'var(--shadow)',
};

const editorTheme = EditorView.theme({
  '&': { height: '100%', background: 'var(--surface)', color: 'var(--t1)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: '12px/20px var(--mono)', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--t1)' },
  '.cm-line': { padding: '0 12px 0 var(--indent, 0)', textIndent: 'calc(0px - var(--indent, 0px))' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--t1)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--ring)',
  },
  '.cm-gutters': { background: 'var(--surface)', color: 'var(--t3)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '32px', padding: '0' },
  '.cm-foldGutter .cm-gutterElement': { width: '12px', color: 'var(--t-off)', cursor: 'pointer' },
  '.cm-foldGutter .cm-gutterElement:hover': { color: 'var(--t1)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--hover)' },
  '.cm-activeLineGutter': { color: 'var(--t3)' },
  '.cm-foldPlaceholder': {
    margin: '0 2px',
    padding: '0 6px',
    border: '0',
    borderRadius: '4px',
    background: 'var(--neutral-bg)',
    color: 'var(--neutral-t)',
  },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--tint-2)', color: 'inherit' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--urgent-bg)', color: 'var(--urgent-t)' },
  '.cm-searchMatch': { background: 'var(--medium-bg)', outline: '1px solid var(--medium)' },
  '.cm-searchMatch-selected': { background: 'var(--medium)', color: '#1a2330' },
  '.cm-selectionMatch': { background: 'var(--tint)' },
  '.cm-tooltip': { ...raised, ...smallText, zIndex: '20' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '240px', padding: '4px', fontFamily: 'var(--mono)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'baseline',
    gap: '8px',
    padding: '4px 8px',
    borderRadius: '6px',
    lineHeight: '20px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--tint-2)', color: 'var(--accent-ink)' },
  '.cm-completionMatchedText': { fontWeight: '600', textDecoration: 'none' },
  '.cm-completionDetail': { marginLeft: 'auto', color: 'var(--t3)', fontStyle: 'normal', font: 'inherit' },
  '.cm-tooltip.cm-completionInfo': { ...smallText, width: '280px', padding: '8px 10px', color: 'var(--t2)' },
  '.cm-panels': { background: 'var(--canvas)', color: 'var(--t1)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { ...smallText, display: 'flex', flexWrap: 'wrap', gap: '6px', padding: '8px 32px 8px 12px' },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '4px',
    font: 'inherit',
    margin: '0',
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button': { margin: '0' },
  '.cm-textfield': {
    height: '28px',
    padding: '0 8px',
    border: '1px solid var(--control)',
    borderRadius: '6px',
    background: 'var(--surface)',
    color: 'var(--t1)',
    font: 'inherit',
  },
  '.cm-button': {
    height: '28px',
    padding: '0 10px',
    border: '1px solid var(--line-2)',
    borderRadius: '6px',
    background: 'var(--surface)',
    backgroundImage: 'none',
    color: 'var(--t1)',
    font: 'inherit',
    fontWeight: '500',
    cursor: 'pointer',
  },
  '.cm-panel.cm-search [name=close]': { top: '8px', right: '8px', width: '24px', color: 'var(--t2)', fontSize: '16px' },
});

/** The editor's theme, from the application's colour variables: it follows light and dark mode. */
export const theme = [editorTheme, syntaxHighlighting(colours)];
