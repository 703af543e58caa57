import type { Definition } from '../../engine/definitions/definition';
import { lazyComponent } from '../states/lazyComponent';

const History = lazyComponent(() =>
  import('./history/HistoryScreen').then((module) => ({ default: module.HistoryScreen })),
);
const Page = lazyComponent(() => import('./RecordPage'));

interface AboutRecordProps {
  definition: Definition;
  id: string;
  part: 'history' | 'page';
}

/** A screen about a stored record, besides its form. */
export default function AboutRecord({ part, ...recordProps }: AboutRecordProps) {
  return part === 'page' ? <Page {...recordProps} /> : <History {...recordProps} />;
}
