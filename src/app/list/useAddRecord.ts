import { useNavigate } from 'react-router';
import type { Definition } from '../../engine/definitions/definition';
import { useOpenDialog } from '../dialogs/openDialog';
import { useListScope } from './ListScope';

/** How a record is added: on a page, or in a dialog over the list. */
export interface AddRecord {
  /** The path of the form; undefined if it is a dialog. */
  readonly to?: string;
  readonly run: () => void;
}

/**
 * How to add a record to the surrounding list.
 *
 * @example const add = useAddRecord(definition);
 */
export function useAddRecord(definition: Definition): AddRecord {
  const navigate = useNavigate();
  const open = useOpenDialog();
  const { onAdd } = useListScope();
  if (onAdd) return { run: onAdd };
  if (definition.form.dialog) return { run: () => open({ kind: 'form', definition, mode: 'create' }) };
  const to = `/${definition.name}/create`;
  return { to, run: () => void navigate(to) };
}
