import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { formatTotal } from '../../../engine/formats/numbers';
import { isGranted } from '../../../engine/access/access-decision';
import { matchesOnScreen } from '../../../engine/conditions/match-on-screen';
import type { Definition, FormTab, ResourceRecord } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { TabBar, tabPanel } from '../../layout/TabBar';
import { useEvaluationContext, useResolvedValues } from '../../data/useEvaluationContext';
import { useTotal } from '../../list/useTotal';
import { TabPanel } from './TabPanel';
import * as listStyles from '../../list/list.module.css';
import * as styles from '../../form/form.module.css';

interface FormTabsProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
  /** The form itself: the first tab. */
  children: ReactNode;
}

const details = 'details';
/** The prefix of the tabs' ids. */
const tabsId = 'form-tabs';

/** The form of a stored record, with tabs for lists of related records. The chosen tab is in the address. */
export function FormTabs({ definition, record, children }: FormTabsProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const [query, setQuery] = useSearchParams();
  const tabs = definition.form.tabs.filter(
    ({ resource, visible, pageOnly }) =>
      !pageOnly &&
      isGranted(actor, resource, 'list') &&
      (!visible || matchesOnScreen(definition, visible, record, evaluationContext)),
  );
  if (tabs.length === 0) return children;
  const chosenTab = tabs.find(({ name }) => name === query.get('tab'));
  const choose = (name: string) => setQuery(name === details ? {} : { tab: name });
  return (
    <>
      <TabBar
        id={tabsId}
        label={definition.labels.one}
        tabs={[
          { name: details, label: 'Details' },
          ...tabs.map((tab) => ({ name: tab.name, label: <TabLabel tab={tab} record={record} /> })),
        ]}
        chosenTab={chosenTab?.name ?? details}
        onChoose={choose}
      />
      {/* Typed values stay while a list is looked at. */}
      <div className={styles.formPanel} hidden={chosenTab !== undefined} {...(!chosenTab && tabPanel(tabsId, details))}>
        {children}
      </div>
      {chosenTab && (
        <div className={styles.formPanel} key={chosenTab.name} {...tabPanel(tabsId, chosenTab.name)}>
          <TabPanel tab={chosenTab} definition={definition} record={record} />
        </div>
      )}
    </>
  );
}

/** A tab's label with the number of its records. */
export function TabLabel({ tab, record }: { tab: FormTab; record: ResourceRecord }) {
  const total = useTotal(tab.resource, useResolvedValues(tab.filter, record));
  return (
    <span>
      {tab.label}
      <span className={`${listStyles.tabCount} num`}>{total === undefined ? '…' : formatTotal(total)}</span>
    </span>
  );
}
