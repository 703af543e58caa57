import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { canDo } from '../../engine/access/can-do';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { recordPathFor } from '../../engine/lists/row-actions';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { useOpenForm } from './useOpenForm';

/** Whether a click on a link is for this tab: the browser opens others in a new one. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

/**
 * Makes a menu entry or a button a link: a plain click on it runs `run`, and any other click is the browser's, which opens
 * the path in a new tab or window.
 */
export function linkTo(path: string, run: () => void) {
  return {
    component: Link,
    to: path,
    onClick: (event: MouseEvent) => {
      if (!isPlainClick(event)) return;
      event.preventDefault();
      run();
    },
  };
}

/** Whether a click asks for a new tab, as it does on a link: with Ctrl or Cmd, or the middle button. */
export function asksForTab(event: MouseEvent): boolean {
  return event.button === 1 || (event.button === 0 && (event.ctrlKey || event.metaKey));
}

/** Opens a path of the application in a new tab. */
export function openTab(path: string): void {
  window.open(path, '_blank', 'noopener');
}

/** How to open a record. */
export interface RecordOpener {
  /** Its path; null if the user may not open it. */
  readonly path: string | null;
  readonly open: () => void;
  /** Click handler of a link to it: a form that is a dialog opens over what is shown instead. */
  readonly onClick?: (event: MouseEvent) => void;
}

/**
 * Returns a function that says how to open a record: on a page, or in a dialog.
 *
 * @example const { path, onClick } = useOpenRecord(definition)(record);
 */
export function useOpenRecord(definition: Definition): (record: ResourceRecord) => RecordOpener {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const navigate = useNavigate();
  const { open: openForm, hasAddress } = useOpenForm(definition);
  return (record) => {
    const path = recordPathFor(definition, record, actor, evaluationContext);
    if (path === null) return { path, open: () => {} };
    if (!definition.form.dialog || ['page', 'screen'].includes(definition.list.rowClick))
      return { path, open: () => void navigate(path) };
    // At its address the form itself is only to be read by those who may not change the record.
    const mode = hasAddress || canDo(actor, definition, 'edit', record, evaluationContext) ? 'edit' : 'view';
    const open = () => openForm(mode, String(record.id));
    const onClick = (event: MouseEvent) => {
      if (!isPlainClick(event)) return;
      event.preventDefault();
      open();
    };
    return { path, open, onClick };
  };
}
