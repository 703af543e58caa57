import type { Definition } from '../../engine/definitions/definition';
import type { ListState, ListView } from '../../engine/lists/list-state';
import type { RaRecord } from 'react-admin';
import { DaysView } from './days/DaysView';
import { Gallery } from './gallery/Gallery';
import type { ChangeList } from './useListState';

interface OtherViewProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  view: ListView;
  /** The records of the list's page; undefined while loading. */
  records: RaRecord[] | undefined;
  total: number | undefined;
  isPhone: boolean;
}

/** The views of a list that few lists have: calendar, timeline and gallery. */
export default function OtherView({ definition, view, records, total, ...parts }: OtherViewProps) {
  const { list } = definition;
  if (view === 'gallery')
    return list.gallery && <Gallery {...{ definition, records, total }} state={parts.state} gallery={list.gallery} />;
  const days = view === 'calendar' || view === 'timeline' ? list[view] : undefined;
  return days && <DaysView {...{ definition, days, ...parts }} view={view as 'calendar' | 'timeline'} />;
}
