import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import type { RaRecord } from 'react-admin';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { inlineFields } from '../../../engine/lists/inline-edit';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { lazyComponent } from '../../states/lazyComponent';
import * as styles from './cardValues.module.css';

const CellEditor = lazyComponent(() => import('../inline/CellEditor').then((part) => ({ default: part.CellEditor })));

interface Editing {
  readonly fields: readonly Field[];
  readonly edit: (field: Field, anchor: HTMLElement) => void;
}

const EditingContext = createContext<Editing>({ fields: [], edit: () => {} });

interface CardValuesProps {
  definition: Definition;
  record: ResourceRecord;
  /** A field that is not edited on the card, such as the one that says its column. */
  omittedField?: string;
  children: ReactNode;
}

/** The values of a card, of which those around which there is a `CardValue` can be edited as in the cells of a list. */
export function CardValues({ definition, record, omittedField, children }: CardValuesProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const [editTarget, setEditTarget] = useState<{ field: Field; anchor: HTMLElement } | null>(null);
  const editing = useMemo(
    () => ({
      fields: inlineFields(definition, record, actor, evaluationContext).filter(({ name }) => name !== omittedField),
      edit: (field: Field, anchor: HTMLElement) => setEditTarget({ field, anchor }),
    }),
    [actor, definition, evaluationContext, omittedField, record],
  );
  return (
    <EditingContext value={editing}>
      {children}
      {editTarget && (
        <CellEditor
          {...editTarget}
          definition={definition}
          record={record as RaRecord}
          onClose={() => setEditTarget(null)}
        />
      )}
    </EditingContext>
  );
}

/**
 * A value on a card. If it can be edited, a click on it does, and not the card. By keyboard it is edited by the keys of
 * cards and in the palette, so that Tab leads from card to card; and a card is dragged by it as by everything on it, so it
 * is no button element, which would keep the drag to itself.
 */
export function CardValue({ field: name, children }: { field: string; children: ReactNode }) {
  const { fields, edit } = use(EditingContext);
  const field = fields.find((candidate) => candidate.name === name);
  if (!field) return children;
  return (
    <span
      className={styles.cardValue}
      role="button"
      aria-haspopup="dialog"
      tabIndex={-1}
      title={`Change ${field.label}`}
      data-field={name}
      onClick={(event) => {
        // The release that ends a drag is no click.
        if (!event.defaultPrevented) {
          // A draggable element does not take the focus when it is pressed, which comes back here.
          event.currentTarget.focus({ preventScroll: true });
          edit(field, event.currentTarget);
        }
        // Nor is the link followed that it may be in.
        event.preventDefault();
        event.stopPropagation();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        edit(field, event.currentTarget);
      }}
    >
      {children}
    </span>
  );
}
