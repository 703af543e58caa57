import type { MouseEvent } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { useListScope } from './ListScope';
import { isPlainClick } from './useOpenRecord';
import { formPath, useOpenForm } from './useOpenForm';

/** How a record is added: on a page, or in a dialog over the list. */
export interface AddRecord {
  /** The path of the form; undefined if it is opened by a button. */
  readonly to?: string;
  readonly run: () => void;
  /** Click handler of a link to the form. */
  readonly onClick: (event: MouseEvent) => void;
}

/**
 * How to add a record to the surrounding list.
 *
 * @example const add = useAddRecord(definition);
 */
export function useAddRecord(definition: Definition): AddRecord {
  const { hasAddress, open } = useOpenForm(definition);
  const { onAdd } = useListScope();
  const run = onAdd ?? (() => open('create'));
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    run();
  };
  const { dialog } = definition.form;
  // What the definition makes a dialog is opened by a button, as dialogs are; a form that is only small keeps its link.
  const isLink = !onAdd && hasAddress && (dialog === undefined || dialog.bySize === true);
  return { ...(isLink && { to: formPath(definition, 'create') }), run, onClick };
}
