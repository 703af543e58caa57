import Box from '@mui/material/Box';
import { useEffect, useMemo, type ComponentType, type ReactNode } from 'react';
import { ShowBase, useShowContext, type RaRecord } from 'react-admin';
import type { Definition, Field, RecordTile } from '../../engine/definitions/definition';
import { recordPage, type RecordPage as RecordPageParts } from '../../engine/pages/record-page';
import { isEmpty } from '../../engine/values/is-empty';
import { requireValue } from '../../engine/values/lookups';
import { useSearchParams } from 'react-router-dom';
import { TabBar, tabPanel } from '../layout/TabBar';
import { TabLabel } from './tabs/FormTabs';
import { TabPanel } from './tabs/TabPanel';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { rememberRecent } from '../commands/recent';
import { FieldCell } from '../fields/displays';
import { PageValue } from '../fields/pages';
import { usePage } from '../layout/page';
import { ActionsContext, useActions } from '../actions/useActions';
import { ApiError } from '../session/apiError';
import { FailedState } from '../states/FailedState';
import { MissingRecordScreen } from '../states/MissingRecord';
import { PageBar } from './PageBar';
import { Rail } from './Rail';
import { RecordStream } from './RecordStream';
import { RecordTabs } from './RecordTabs';
import { Texts } from './Texts';
import { useNeighbours, type Neighbours } from './useNeighbours';
import * as styles from './record.module.css';
import * as statesStyles from '../states/states.module.css';

const lines = [320, 180, 620, 540, 580];

/** A record's page while it loads, in its geometry. */
function RecordSkeleton() {
  return (
    <div className={styles.record} role="status">
      <span className="unseen">Loading…</span>
      <div className={styles.recordColumns} aria-hidden="true">
        <div className={styles.recordMain}>
          <div className={styles.recordWait}>
            {lines.map((width, index) => (
              <span key={index} className={statesStyles.skeleton} style={{ width, maxWidth: '100%' }} />
            ))}
          </div>
        </div>
        <div className={styles.rail}>
          <div className={styles.recordWait}>
            {lines.map((_, index) => (
              <span key={index} className={statesStyles.skeleton} style={{ width: '70%' }} />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

/** The tiles of a record, and what happened to it below them. */
export interface PlaceHomeProps {
  definition: Definition;
  record: RaRecord;
  tiles: readonly RecordTile[];
  activity: ReactNode;
  /** The properties, for a page that shows them beside its tiles. */
  properties: ReactNode;
}

interface RecordPageProps {
  definition: Definition;
  /** The record's id. */
  id: string;
  /** The tiles that the page opens with, if its definition has some. */
  home?: ComponentType<PlaceHomeProps>;
}

/** The whole record, which lists have a part of. The page shows the error itself. */
const queryOptions = { meta: { page: true }, retry: false, onError: () => {} };

/** The page of a record, for reading: `/{resource}/{id}/view`. */
export default function RecordPage({ definition, id, home }: RecordPageProps) {
  return (
    <ShowBase resource={definition.name} id={id} disableAuthentication queryOptions={queryOptions}>
      <Loaded {...{ definition, id, home }} />
    </ShowBase>
  );
}

function Loaded({ definition, id, home }: RecordPageProps) {
  const { labels } = definition;
  const neighbours = useNeighbours(definition, id);
  const { record, error, refetch } = useShowContext();
  const isGone = error instanceof ApiError && error.status === 404;
  if (isGone) return <MissingRecordScreen definition={definition} />;
  if (record) return <Shown {...{ definition, record, neighbours, home }} />;
  return <Waiting {...{ definition, error }} onRetry={() => void refetch()} title={labels.one} />;
}

interface WaitingProps {
  definition: Definition;
  error: Error | null;
  title: string;
  onRetry: () => void;
}

/** Before the record is there, and instead of one that cannot be shown. */
function Waiting({ definition: { name, labels }, error, title, onRetry }: WaitingProps) {
  const list = { to: `/${name}`, label: labels.many };
  usePage({ title, back: list });
  if (!error) return <RecordSkeleton />;
  const link = { to: list.to, label: `All ${labels.many.toLowerCase()}` };
  return <FailedState title={`${title} could not be loaded`} message={error.message} {...{ onRetry, link }} />;
}

interface ShownProps extends Pick<RecordPageProps, 'home'> {
  definition: Definition;
  record: RaRecord;
  neighbours: Neighbours;
}

function Shown({ definition, record, neighbours, home }: ShownProps) {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const { name, labels } = definition;
  const page = useMemo(
    () =>
      requireValue(
        recordPage(definition, registry, record, actor, evaluationContext),
        `the page of ${definition.name}`,
      ),
    [actor, definition, evaluationContext, record, registry],
  );
  const records = useMemo(() => [record], [record]);
  const actions = useActions(definition, records);
  useEffect(() => {
    // A record that is seen while viewing as another user is not remembered for that user.
    if (!actor.viewer) rememberRecent(actor.id, name, Number(record.id));
  }, [actor, name, record.id]);
  const isPlace = home !== undefined && page.tiles.length > 0;
  usePage({
    title: isPlace ? page.heading : (page.key ?? labels.one),
    note: isPlace ? page.key : page.within,
    record: page.heading,
    back: { to: `/${name}`, label: labels.many },
    flat: isPlace,
  });
  const rail = <Rail {...{ definition, record, page }} />;
  const details = (
    <div className={styles.record}>
      <div className={styles.recordColumns}>
        <article className={styles.recordMain} aria-labelledby="record-title">
          <header className={styles.recordHead}>
            <h2 id="record-title" className={styles.recordTitle}>
              {page.heading}
            </h2>
            {!isPlace && page.chips.length > 0 && (
              <ul className={styles.recordChips} aria-label="At a glance">
                {page.chips.map((field) => (
                  <li key={field.name} title={field.label}>
                    <PageValue {...{ field, record, definition, registry }} value={record[field.name]} />
                  </li>
                ))}
              </ul>
            )}
          </header>
          <Texts {...{ definition, record }} sections={page.sections} />
          {!isPlace && <RecordTabs {...{ definition, record, page }} />}
        </article>
        {rail}
      </div>
    </div>
  );
  return (
    <ActionsContext value={actions}>
      <PageBar {...{ definition, record, page, neighbours }} />
      {isPlace ? <PlaceTabs {...{ definition, record, page, home, rail }}>{details}</PlaceTabs> : details}
      {actions.dialogs}
    </ActionsContext>
  );
}

const homeTab = 'home';
const detailsTab = 'details';
/** The prefix of the tabs' ids. */
const placeId = 'place';

interface PlaceTabsProps extends Required<Pick<RecordPageProps, 'home'>> {
  definition: Definition;
  record: RaRecord;
  page: RecordPageParts;
  rail: ReactNode;
  /** The properties and the text. */
  children: ReactNode;
}

/** A record that is a place for others: its tiles, lists of related records and its details, as tabs. The chosen one is in the address. */
function PlaceTabs({ definition, record, page, home: Home, rail, children }: PlaceTabsProps) {
  const [query, setQuery] = useSearchParams();
  const name = query.get('tab') ?? homeTab;
  const relatedTab = page.related.find((tab) => tab.name === name);
  const chosenName = relatedTab || name === detailsTab ? name : homeTab;
  return (
    <>
      <Box sx={{ display: 'flex', flex: 'none', background: 'var(--surface)' }}>
        <TabBar
          id={placeId}
          className={styles.placeTabs}
          label={definition.labels.one}
          tabs={[
            { name: homeTab, label: 'Home' },
            ...page.related.map((tab) => ({ name: tab.name, label: <TabLabel tab={tab} record={record} /> })),
            { name: detailsTab, label: 'Details' },
          ]}
          chosenTab={chosenName}
          onChoose={(tabName) => setQuery(tabName === homeTab ? {} : { tab: tabName }, { replace: true })}
        />
        <Facts fields={page.chips} {...{ definition, record }} />
      </Box>
      <div key={chosenName} className={styles.placePanel} {...tabPanel(placeId, chosenName)}>
        {relatedTab ? (
          <TabPanel tab={relatedTab} definition={definition} record={record} />
        ) : chosenName === detailsTab ? (
          children
        ) : (
          <Home
            {...{ definition, record }}
            tiles={page.tiles}
            activity={<RecordStream {...{ definition, record }} sources={page.stream} />}
            properties={rail}
          />
        )}
      </div>
    </>
  );
}

interface FactsProps {
  fields: readonly Field[];
  definition: Definition;
  record: RaRecord;
}

/** A few values of a place at the right end of its tabs, where the window has room; a day that ends a time follows its begin. */
function Facts({ fields: chips, definition, record }: FactsProps) {
  const { registry } = useDefinitions();
  const fields = chips.filter(({ name }) => !isEmpty(record[name]));
  if (fields.length === 0) return null;
  return (
    <ul className={styles.placeFacts} aria-label="At a glance">
      {fields.map((field, index) => {
        const isEnd = field.notBefore !== undefined && field.notBefore === fields[index - 1]?.name;
        return (
          <li key={field.name} title={field.label} data-end={isEnd || undefined}>
            {isEnd && 'to '}
            <FieldCell {...{ field, record, definition, registry }} value={record[field.name]} />
          </li>
        );
      })}
    </ul>
  );
}
