import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { holds } from '../../../engine/conditions/evaluate';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useOpening } from '../useOpening';

interface TitleCellProps {
  definition: Definition;
  record: ResourceRecord;
  /** The grid's focus is on this cell. */
  focused: boolean;
  children: ReactNode;
}

/** The record's name as a link to it, so that it opens in another tab too, and the word that marks its row. */
export function TitleCell({ definition, record, focused, children }: TitleCellProps) {
  const { path, onClick } = useOpening(definition)(record);
  const { actor } = useDefinitions();
  const { highlight } = definition.list;
  const mark = highlight && holds(highlight.when, record, { actor }) && (
    <span className="chip title-mark" data-tone={highlight.tone}>
      {highlight.label}
    </span>
  );
  return (
    <>
      {path ? (
        <Link to={path} onClick={onClick} className="title-link" tabIndex={focused ? 0 : -1}>
          {children}
        </Link>
      ) : (
        children
      )}
      {mark}
    </>
  );
}
