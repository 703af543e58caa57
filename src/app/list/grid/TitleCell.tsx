import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { RowMark } from '../RowMark';
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
  return (
    <>
      {path ? (
        <Link to={path} onClick={onClick} className="title-link" tabIndex={focused ? 0 : -1}>
          {children}
        </Link>
      ) : (
        children
      )}
      <RowMark definition={definition} record={record} />
    </>
  );
}
