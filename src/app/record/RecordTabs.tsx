import type { RaRecord } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import type { Definition } from '../../engine/definitions/definition';
import type { RecordPage } from '../../engine/pages/record-page';
import { TabLabel } from './tabs/FormTabs';
import { TabPanel } from './tabs/TabPanel';
import { TabBar, tabPanel } from '../layout/TabBar';
import { RecordStream } from './RecordStream';
import * as styles from './record.module.css';

interface RecordTabsProps {
  definition: Definition;
  record: RaRecord;
  page: RecordPage;
}

const activity = 'activity';
/** The prefix of the tabs' ids. */
const tabsId = 'record-tabs';

/** The events of a record, and the lists of records related to it. The chosen tab is in the address. */
export function RecordTabs({ definition, record, page }: RecordTabsProps) {
  const [query, setQuery] = useSearchParams();
  const { related: relatedTabs } = page;
  const chosenTab = relatedTabs.find(({ name }) => name === query.get('tab'));
  const stream = <RecordStream definition={definition} record={record} sources={page.stream} />;
  if (relatedTabs.length === 0) return <div className={styles.recordBelow}>{stream}</div>;
  return (
    <div className={styles.recordBelow}>
      <TabBar
        id={tabsId}
        label={`Beside the ${definition.labels.one.toLowerCase()}`}
        tabs={[
          { name: activity, label: definition.comments ? 'Comments & activity' : 'Activity' },
          ...relatedTabs.map((tab) => ({ name: tab.name, label: <TabLabel tab={tab} record={record} /> })),
        ]}
        chosenTab={chosenTab?.name ?? activity}
        onChoose={(name) => setQuery(name === activity ? {} : { tab: name }, { replace: true })}
      />
      <div key={chosenTab?.name} className={styles.recordPanel} {...tabPanel(tabsId, chosenTab?.name ?? activity)}>
        {chosenTab ? <TabPanel tab={chosenTab} definition={definition} record={record} /> : stream}
      </div>
    </div>
  );
}
