import { useMemo, useRef } from 'react';
import { RecordContextProvider, type RaRecord } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Definition, Gallery as GalleryView, ResourceRecord } from '../../../engine/definitions/definition';
import { fillTemplate } from '../../../engine/definitions/labels';
import { isFileValue } from '../../../engine/field-types/stored-files';
import { resolveColumn } from '../../../engine/lists/column-value';
import { perPage } from '../../../engine/lists/list-state';
import { keyedTitle, recordActions, recordTitle } from '../../../engine/lists/row-actions';
import { isEmpty } from '../../../engine/values/is-empty';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { Icon } from '../../icons/Icon';
import { ActionMenu } from '../ActionMenu';
import { CardValue, CardValues } from '../cards/CardValues';
import { CardCheckbox, isOnControl, SelectableCards, useSelectableCard } from '../cards/SelectableCards';
import { useCardCommands } from '../cards/useCardCommands';
import { useResourceList } from '../ResourceList';
import { RowMark } from '../RowMark';
import { SourceCell } from '../SourceCell';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import * as statesStyles from '../../states/states.module.css';
import * as styles from './gallery.module.css';

const noRecords: readonly RaRecord[] = [];

/** The records of a page as pictures; skeletons while loading. */
export function Gallery({ gallery }: { gallery: GalleryView }) {
  const { definition, data: records, embedded } = useResourceList();
  const list = useRef<HTMLUListElement>(null);
  useCardCommands({ frame: list, definition, records: records ?? noRecords, enabled: !embedded });
  if (!records)
    return (
      <div className={styles.gallery} role="status">
        <span className="unseen">Loading…</span>
        {Array.from({ length: perPage }, (_, index) => (
          <div key={index} className={styles.galleryCard} aria-hidden="true">
            <span className={styles.galleryPicture} />
            <span className={statesStyles.skeleton} style={{ width: '70%', margin: 12 }} />
          </div>
        ))}
      </div>
    );
  return (
    <SelectableCards frame={list}>
      <ul ref={list} className={styles.gallery} aria-label={definition.labels.many}>
        {records.map((record) => (
          <li key={record.id} data-card={record.id}>
            <RecordContextProvider value={record}>
              <GalleryCard {...{ definition, gallery, record }} />
            </RecordContextProvider>
          </li>
        ))}
      </ul>
    </SelectableCards>
  );
}

function GalleryCard({
  definition,
  gallery,
  record,
}: {
  definition: Definition;
  gallery: GalleryView;
  record: ResourceRecord;
}) {
  const { actor, registry } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const { path, open, onClick } = useOpenRecord(definition)(record);
  const selectable = useSelectableCard(record);
  const title = fillTemplate(gallery.title ?? '', record) || recordTitle(definition, record);
  const { key, name } = keyedTitle(definition, record, title);
  const actions = useMemo(
    () =>
      recordActions(definition, record, actor, evaluationContext).filter(
        ({ name }) => gallery.menu.includes(name) || name === 'view',
      ),
    [actor, definition, evaluationContext, gallery.menu, record],
  );
  const picture = gallery.image === undefined ? undefined : record[gallery.image];
  const sources = gallery.fields.flatMap((name) => {
    const source = resolveColumn(name, definition, registry);
    return source ? [{ path: name, source }] : [];
  });
  return (
    <article
      className={styles.galleryCard}
      data-clickable={path !== null || undefined}
      {...selectable.card}
      onClick={(event) => {
        if (isOnControl(event.target) || selectable.select(event)) return;
        if (path !== null) open();
      }}
    >
      <div className={styles.galleryPicture}>
        {isFileValue(picture) ? (
          <img src={picture.url} alt="" loading="lazy" draggable={false} />
        ) : (
          <Icon name={definition.menu?.icon ?? 'image'} size={32} />
        )}
        <CardCheckbox {...{ definition, record }} />
      </div>
      <header>
        <h2>
          {key !== undefined && <small>{key} </small>}
          {path ? (
            <Link to={path} {...{ onClick }}>
              {name}
            </Link>
          ) : (
            name
          )}
        </h2>
        {actions.length > 0 && <ActionMenu actions={actions} record={record} title={title} />}
      </header>
      <CardValues {...{ definition, record }}>
        <dl>
          {sources
            .filter(({ source }) => !isEmpty(source.value(record)) || source.field.emptyText !== undefined)
            .map(({ path: field, source }) => (
              <div key={field}>
                <dt className="unseen">{source.field.label}</dt>
                <dd>
                  <CardValue {...{ field }}>
                    <SourceCell {...{ source, record }} />
                  </CardValue>
                </dd>
              </div>
            ))}
        </dl>
      </CardValues>
      <RowMark {...{ definition, record }} shownFields={new Set(gallery.fields)} />
    </article>
  );
}
