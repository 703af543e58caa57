import { DaysView } from './days/DaysView';
import { Gallery } from './gallery/Gallery';
import { useResourceList } from './ResourceList';

/** The views of a list that few lists have: calendar, timeline and gallery. */
export default function OtherView() {
  const { definition, view } = useResourceList();
  const { list } = definition;
  if (view === 'gallery') return list.gallery && <Gallery gallery={list.gallery} />;
  const days = view === 'calendar' || view === 'timeline' ? list[view] : undefined;
  return days && <DaysView days={days} view={view as 'calendar' | 'timeline'} />;
}
