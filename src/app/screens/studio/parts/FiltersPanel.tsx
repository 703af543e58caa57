import { readFilters, writeFilters, type FilterView } from '../../../../engine/studio/filters';
import { useMemo } from 'react';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { moduleSubjects } from '../conditions/subjects';
import { useDraft, useDraftPart } from '../draft';
import { draftErrors, isWithin } from '../places';
import { AddMenu } from '../properties/AddMenu';
import { ChoiceProperty, type Option } from '../properties/ChoiceProperty';
import { SortedList } from '../properties/SortedList';
import { SwitchProperty } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';
import { allFields, fieldOptions } from '../properties/fieldOptions';
import * as styles from '../properties/properties.module.css';

/** The filters of the list in their order. */
export function FiltersPanel() {
  const draft = useDraft();
  const { source, edit } = draft;
  const { hint } = useDraftValue('/list/filters');
  const filters = readFilters(source);
  const parameters = Object.entries(source.parameters ?? {}).map(([value, { label }]) => ({
    value,
    label: label ?? value,
  }));
  const ways = [...fieldOptions(source, ({ filterable }) => filterable !== false), ...parameters];
  const labelled = ({ field, label }: FilterView) => label ?? ways.find(({ value }) => value === field)?.label ?? field;
  const free = ways.filter(({ value }) => !filters.some(({ name }) => name === value));
  const put = (next: readonly FilterView[]) => edit((now) => writeFilters(now, next));
  return (
    <>
      <p className={styles.studioHint}>{hint}</p>
      <div className={styles.studioGroup}>
        <SortedList
          label="Filters"
          items={filters}
          none="No filters: the list has no Filters button"
          keyOf={({ name }) => name}
          titleOf={labelled}
          noteOf={({ many, range }) => (range ? 'from, to' : many ? 'several values' : '')}
          isWrong={({ name }) => draftErrors(draft).some(({ path }) => isWithin(path, `/list/filters/${name}`))}
          onMove={(from, to) => put(filters.toSpliced(from, 1).toSpliced(to, 0, filters[from]!))}
          onRemove={(index) => put(filters.toSpliced(index, 1))}
        >
          {(filter) => <Filter filter={filter} usual={labelled({ ...filter, label: undefined })} ways={ways} />}
        </SortedList>
        <AddMenu
          label="Add a filter"
          ways={free}
          onAdd={(name) => put([...filters, { name, field: name, many: false, range: false }])}
        />
      </div>
    </>
  );
}

function Filter({ filter, usual, ways }: { filter: FilterView; usual: string; ways: readonly Option[] }) {
  const at = `/list/filters/${filter.name}`;
  const { registry } = useDefinitions();
  const to = useDraftPart(({ source }) => allFields(source)[filter.field]?.to ?? source.parameters?.[filter.field]?.to);
  const target = registry.get(to);
  const subjects = useMemo(() => target && moduleSubjects(target), [target]);
  return (
    <>
      <TextProperty at={`${at}/label`} label="Label" usual={usual} brief />
      <SwitchProperty at={`${at}/many`} label="Several values at once" />
      <SwitchProperty at={`${at}/range`} label="From and to" />
      <ChoiceProperty at={`${at}/field`} label="Filters by" ways={ways} none="Its own name" brief />
      <ConditionProperty at={`${at}/choices`} label="Choices where" {...(subjects && { subjects })} />
      {filter.many && <TextProperty at={`${at}/allLabel`} label="Text when all are selected" brief />}
    </>
  );
}
