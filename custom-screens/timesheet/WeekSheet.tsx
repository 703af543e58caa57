import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { Definition } from '../../src/engine/definitions/definition';
import { addDays } from '../../src/engine/formats/dates';
import { itemAt } from '../../src/engine/values/lookups';
import { figuresQuery } from '../../src/app/charts/useFigures';
import { reportError } from '../../src/app/data/ErrorToasts';
import { ChoiceInput } from '../../src/app/fields/choices/ChoiceInput';
import { loadChoices } from '../../src/app/fields/choices/loadChoices';
import { Icon } from '../../src/app/icons/Icon';
import { useApi } from '../../src/app/session/apiClient';
import { SkeletonRows } from '../../src/app/states/SkeletonRows';
import { timeFieldsOf, type TimeTarget } from '../../src/app/timer/timeFields';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { formatDecimalHours } from './hours';
import { monthName, monthOf } from './months';
import type { TimesheetMonth } from './timesheetApi';
import { WeekGrid } from './WeekGrid';
import { Meter } from './Meter';
import { daysOfWeek, weeksOfMonth } from './weeks';
import * as styles from './week.module.css';

interface WeekSheetProps {
  definition: Definition;
  /** The months that the week is in; undefined until they are loaded. */
  months: readonly TimesheetMonth[] | undefined;
  /** The first day. */
  week: string;
  today: string;
  isOwn: boolean;
  /** Whether only the logs of a client or project are shown: without the others there is no row to add to. */
  isNarrowed: boolean;
  /** Whether the hours are all those of one person, which the target is for. */
  hasTargets: boolean;
  /** The address of the timesheet of a month with the present filters. */
  monthAddress: (month: string) => string;
  /** Where the whole month is shown. */
  openMonth: string;
  weekAddress: (week: string) => string;
}

/** A week of the timesheet: tasks and days, whose cells are typed, and the weeks of the month beneath. */
export function WeekSheet({
  definition,
  months,
  week,
  today,
  isOwn,
  isNarrowed,
  hasTargets,
  monthAddress,
  ...addresses
}: WeekSheetProps) {
  const [addedTasks, setAddedTasks] = useState<readonly TimeTarget[]>([]);
  const [isChoosing, setChoosing] = useState(false);
  const copy = useTasksOfWeek(addDays(week, -7), monthAddress);
  if (!months) return <SkeletonRows />;
  const add = (tasks: readonly TimeTarget[]) =>
    setAddedTasks((current) => [
      ...current,
      ...tasks.filter(({ id }) => !current.some((addedTask) => addedTask.id === id)),
    ]);
  return (
    <>
      <WeekGrid
        {...{ definition, months, week, today, isOwn, hasTargets, addedTasks }}
        foot={
          isOwn &&
          !isNarrowed && (
            <div className={styles.weekAdd}>
              {isChoosing ? (
                <TaskChoice
                  definition={definition}
                  onChoose={(task) => {
                    setChoosing(false);
                    if (task) add([task]);
                  }}
                />
              ) : (
                <Button variant="text" size="small" startIcon={<Icon name="plus" />} onClick={() => setChoosing(true)}>
                  Add a task
                </Button>
              )}
              <Button
                variant="text"
                size="small"
                startIcon={<Icon name="copy" />}
                onClick={() => void copy().then(add, reportError)}
              >
                Copy the tasks of last week
              </Button>
            </div>
          )
        }
      />
      <MonthByWeek sheet={itemAt(months, 0)} {...{ week, hasTargets }} {...addresses} />
    </>
  );
}

/** Loads the tasks of a week. */
function useTasksOfWeek(week: string, monthAddress: (month: string) => string) {
  const queryClient = useQueryClient();
  return async (): Promise<TimeTarget[]> => {
    const days = new Set(daysOfWeek(week));
    const names = [...new Set([...days].map(monthOf))];
    const sheets = await Promise.all(
      names.map((month) =>
        queryClient.fetchQuery({
          ...figuresQuery<TimesheetMonth>(monthAddress(month), ['time-logs']),
          staleTime: 5_000,
        }),
      ),
    );
    return sheets
      .flatMap(({ logs }) => logs)
      .flatMap(({ date, task }) => (task && days.has(date) ? [{ id: task.id, title: task.name }] : []));
  };
}

/** Chooses the task of a new row. */
function TaskChoice({
  definition,
  onChoose,
}: {
  definition: Definition;
  onChoose: (task: TimeTarget | undefined) => void;
}) {
  const { registry } = useDefinitions();
  const ask = useApi();
  const { relation } = timeFieldsOf(definition);
  const query = { resource: definition.name, field: relation.name };
  const source = {
    key: [definition.name, relation.name, 'week'],
    target: registry.get(relation.to),
    load: (text: string, signal?: AbortSignal) => loadChoices({ ...query, text }, signal, ask),
  };
  const choose = async (value: unknown) => {
    const [choice] = await loadChoices({ ...query, ids: [Number(value)] }, undefined, ask);
    onChoose(choice && { id: Number(choice.id), title: choice.title });
  };
  return (
    <Box sx={{ width: 320 }}>
      <label className="unseen" htmlFor="week-task">
        Task of the new row
      </label>
      <ChoiceInput
        id="week-task"
        field={relation}
        source={source}
        value={undefined}
        autoFocus
        onChange={(value) => void choose(value).catch(reportError)}
      />
    </Box>
  );
}

interface MonthByWeekProps {
  sheet: TimesheetMonth;
  week: string;
  hasTargets: boolean;
  openMonth: string;
  weekAddress: (week: string) => string;
}

/** The weeks of the month as links, each with its hours beside the target. */
function MonthByWeek({ sheet, week, hasTargets, openMonth, weekAddress }: MonthByWeekProps) {
  const weeks = weeksOfMonth(sheet);
  const target = weeks.reduce((sum, { target: hours }) => sum + hours, 0);
  return (
    <section className={styles.weekMonth} aria-labelledby="week-month">
      <h2 id="week-month">
        {monthName(sheet.month)} by week
        <span>
          {formatDecimalHours(sheet.total)}
          {hasTargets && ` of ${formatDecimalHours(target)}`}
        </span>
        <Link to={openMonth}>Open month</Link>
      </h2>
      <div className={styles.weekList}>
        {weeks.map(({ first, days, total, target: hours }) => (
          <Link key={first} to={weekAddress(first)} aria-current={first === week || undefined}>
            <span>
              {Number(itemAt(days, 0).slice(8))}
              {days.length > 1 && ` to ${Number(itemAt(days, days.length - 1).slice(8))}`}
            </span>
            <b className="num">{formatDecimalHours(total)}</b>
            {hasTargets && <Meter total={total} target={hours} />}
          </Link>
        ))}
      </div>
    </section>
  );
}
