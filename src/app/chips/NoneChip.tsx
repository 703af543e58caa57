import type { ReactNode } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { Initials } from '../layout/Initials';
import './chips.css';

/** Where a record could stand and none does: muted words, after an empty circle where people are named. */
export function NoneChip({ definition, children }: { definition?: Definition; children: ReactNode }) {
  return (
    <span className="named named-none">
      {definition?.chip?.shape === 'avatar' && <Initials name="" />}
      <span>{children}</span>
    </span>
  );
}
