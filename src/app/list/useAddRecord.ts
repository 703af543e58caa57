import type { MouseEvent } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { useSurroundingList } from './ResourceList';
import { asksForTab, isPlainClick, openTab } from '../navigation/useOpenRecord';
import { formPath, useOpenForm } from '../navigation/useOpenForm';

/** How a record is added: on a page, or in a dialog over the list. */
export interface AddRecord {
  /** The path of the form; undefined if it is opened by a button. */
  readonly to?: string;
  readonly run: () => void;
  /** Handler of clicks, also with the middle button, on a link to the form or a button that opens it. */
  readonly onClick: (event: MouseEvent) => void;
}

/**
 * How to add a record to the surrounding list.
 *
 * @example const add = useAddRecord(definition);
 */
export function useAddRecord(definition: Definition): AddRecord {
  const { hasAddress, open } = useOpenForm(definition);
  const onAdd = useSurroundingList()?.onAdd;
  const run = onAdd ?? (() => open('create'));
  const { dialog } = definition.form;
  // A form that the definition makes a dialog is opened by a button, as dialogs are; one that is only small keeps its link.
  const isLink = !onAdd && hasAddress && (dialog === undefined || dialog.bySize === true);
  const path = formPath(definition, 'create');
  const onClick = (event: MouseEvent) => {
    // A button opens a new tab by the same keys as a link.
    if (!isLink && !onAdd && hasAddress && asksForTab(event)) return openTab(path);
    if (isLink && !isPlainClick(event)) return;
    event.preventDefault();
    if (event.button === 0) run();
  };
  return { ...(isLink && { to: path }), run, onClick };
}
