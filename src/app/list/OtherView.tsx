import { isBuiltInView } from '../../engine/lists/list-state';
import { FailedState } from '../states/FailedState';
import { SelectionBar } from './bulk/SelectionBar';
import { DaysView } from './days/DaysView';
import { Gallery } from './gallery/Gallery';
import { productViewOf } from './productViews';
import { useResourceList } from './ResourceList';

/** The views of a list that few lists have: calendar, timeline, gallery, and those of the product. */
export default function OtherView() {
  const { definition, view } = useResourceList();
  const { list } = definition;
  if (!isBuiltInView(view)) return <ProductView view={view} />;
  if (view === 'gallery') return list.gallery && <Gallery gallery={list.gallery} />;
  const days = view === 'calendar' || view === 'timeline' ? list[view] : undefined;
  return days && <DaysView days={days} view={view as 'calendar' | 'timeline'} />;
}

/** The list as the product shows it, with the bar of what can be done with the records that it selects. */
function ProductView({ view }: { view: string }) {
  const { selection } = useResourceList();
  const Content = productViewOf(view)?.Content;
  if (!Content)
    return (
      <FailedState
        title="This layout is not part of the program"
        message={`Register "${view}" in the product's "listViews", or remove it from "views" of the definition.`}
      />
    );
  return (
    <>
      <Content />
      {selection.selectable && selection.selected.size > 0 && <SelectionBar />}
    </>
  );
}
