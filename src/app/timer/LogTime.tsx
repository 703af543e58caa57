import { parseId } from '../../engine/field-types/relation';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useState, type KeyboardEvent } from 'react';
import { useDataProvider } from 'react-admin';
import { matchPath, useLocation } from 'react-router-dom';
import type { Definition } from '../../engine/definitions/definition';
import { describeDuration } from '../../engine/formats/durations';
import { formatParts, isSequence, numberPlace } from '../../engine/field-types/sequence';
import { formatTimeOfDay, sayDay } from '../../engine/formats/dates';
import { parseLogLine, type LogLine } from '../../engine/formats/parse-log-line';
import { itemAt } from '../../engine/values/lookups';
import { useDefinitions } from '../data/DefinitionsContext';
import { localToday } from '../data/localTime';
import { useOpenDialog } from '../dialogs/openDialog';
import type { Choice, ChoiceSource } from '../fields/choices/choice';
import { titleWithDetail, withArticle } from '../fields/choices/choiceTexts';
import { loadChoices } from '../fields/choices/loadChoices';
import { recentlyChosen, rememberChosen } from '../fields/choices/recentChoices';
import { useChoices } from '../fields/choices/useChoices';
import { Icon } from '../icons/Icon';
import { useApi } from '../session/apiClient';
import { timeFieldsOf, timePreset, type TimeTarget } from './timeFields';
import { loadFollowingTimes, useLogTime } from './useLogTime';
import * as commandStyles from '../commands/commands.module.css';
import * as styles from './timer.module.css';

const mostChoices = 5;

interface LogTimeProps {
  /** A resource with a timer. */
  definition: Definition;
  onClose: () => void;
}

/** Logs time in one line: how long, when, on what, and a comment. */
export default function LogTime({ definition, onClose }: LogTimeProps) {
  const id = useId();
  const { actor, registry } = useDefinitions();
  const { relation } = timeFieldsOf(definition);
  const target = registry.getOrThrow(relation.to);
  const openDialog = useOpenDialog();
  const log = useLogTime(definition);
  const today = localToday();
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState<Choice['id']>();
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  /** It is saved once it is known on what the time was spent. */
  const [isWaiting, setWaiting] = useState(false);
  const line = parseLogLine(text, today, (word) => isKeyOf(target, word));
  const date = line.date ?? today;
  const { choices, loading } = useTargets(definition, target, line);
  const chosenIndex = Math.max(
    0,
    choices.findIndex((choice) => choice.id === chosenId),
  );
  const chosenChoice = choices[chosenIndex];
  const chosenTarget: TimeTarget | undefined = chosenChoice && {
    id: Number(chosenChoice.id),
    title: chosenChoice.title,
  };
  const times = useFollowingTimes(definition, date, line.minutes);

  const save = async () => {
    setWaiting(false);
    const { minutes, comment } = line;
    const lineFault =
      lineProblem(line, today) ?? (chosenTarget ? undefined : `Choose ${withArticle(target.labels.one)}.`);
    setProblem(lineFault);
    if (lineFault !== undefined || minutes === undefined || !chosenTarget || isSaving) return;
    setSaving(true);
    const storedRecord = await log({ target: chosenTarget, date, minutes, comment });
    setSaving(false);
    if (!storedRecord) return;
    rememberChosen(actor.id, target.name, [chosenTarget]);
    onClose();
  };
  const saveLoaded = useEffectEvent(() => void save());
  useEffect(() => {
    if (isWaiting && !loading) saveLoaded();
  }, [isWaiting, loading]);
  const press = () => (loading ? setWaiting(true) : void save());
  const openForm = () => {
    onClose();
    const preset = timePreset(definition, chosenTarget, { date, ...times, comment: line.comment });
    openDialog({ kind: 'form', definition, mode: 'create', preset });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined && choices.length > 0) {
      event.preventDefault();
      setChosenId(itemAt(choices, (chosenIndex + move + choices.length) % choices.length).id);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // The button that has the focus again as the dialog closes is not pressed by the same key.
      event.stopPropagation();
      press();
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      slotProps={{
        container: { sx: { alignItems: 'flex-start', justifyContent: 'flex-end' } },
        paper: { className: styles.logTime, 'aria-label': 'Log time' },
      }}
    >
      <div className={styles.logLine}>
        <OutlinedInput
          autoFocus
          fullWidth
          value={text}
          placeholder="2h yesterday, and what you did"
          onChange={(event) => {
            setText(event.target.value);
            setChosenId(undefined);
            setProblem(undefined);
            setWaiting(false);
          }}
          onKeyDown={onKeyDown}
          error={problem !== undefined}
          startAdornment={<Icon name="clock" />}
          slotProps={{
            input: {
              role: 'combobox',
              'aria-label': 'How long, when, on what',
              'aria-expanded': true,
              'aria-controls': `${id}-list`,
              'aria-activedescendant': chosenChoice ? `${id}-${chosenIndex}` : undefined,
              'aria-describedby': `${id}-parts`,
              autoComplete: 'off',
              maxLength: 1000,
            },
          }}
        />
        <Button variant="contained" disabled={isSaving} onClick={press}>
          Log
        </Button>
      </div>
      <div id={`${id}-parts`} className={styles.logParts} role={problem === undefined ? undefined : 'alert'}>
        {problem === undefined ? (
          <>
            {line.minutes !== undefined && <span>{describeDuration(line.minutes)}</span>}
            <span>{sayDay(date, today)}</span>
            {times && (
              <span>
                {formatTimeOfDay(times.start)}–{formatTimeOfDay(times.end)}
              </span>
            )}
            {line.key !== undefined && <span>{line.key}</span>}
            {line.comment !== '' && <q>{line.comment}</q>}
          </>
        ) : (
          problem
        )}
      </div>
      <div
        id={`${id}-list`}
        className={styles.logTargets}
        role="listbox"
        aria-label={target.labels.many}
        aria-busy={loading}
      >
        {choices.map((choice, index) => (
          <div
            key={choice.id}
            id={`${id}-${index}`}
            className={commandStyles.paletteEntry}
            role="option"
            aria-selected={index === chosenIndex}
            onClick={() => setChosenId(choice.id)}
          >
            <Icon name={target.menu?.icon ?? 'text'} />
            <span className={commandStyles.paletteLabel} title={titleWithDetail(choice)}>
              {choice.title}
            </span>
            {choice.detail && <small>{choice.detail}</small>}
          </div>
        ))}
        {choices.length === 0 && !loading && (
          <p>{line.key === undefined ? 'No Data Found' : `${line.key} was not found`}</p>
        )}
      </div>
      <div className={styles.logFoot}>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>↵</kbd> log
        </span>
        <Box sx={{ flex: 1 }} />
        <Button variant="text" size="small" onClick={openForm}>
          All fields…
        </Button>
      </div>
    </Dialog>
  );
}

/** Why a line cannot be logged. */
function lineProblem({ minutes, date }: LogLine, today: string): string | undefined {
  if (minutes === undefined) return 'Say how long it took: 2h, 1:30 or 90m.';
  if (minutes === 0) return 'Enter a minute at least.';
  if (minutes > 24 * 60) return 'A day has 24 hours.';
  return date !== undefined && date > today ? 'Time cannot be logged in the future.' : undefined;
}

/**
 * Whether a word is the key of a record: as its definition numbers them (`T-7`, but not `UTF-8`), or `#7`; where it has no keys,
 * its id may also stand after letters of its name (`TSK-7` of a task).
 */
function isKeyOf({ fields, labels }: Definition, word: string): boolean {
  const keys = Object.values(fields).filter(isSequence);
  if (keys.length > 0 && !word.startsWith('#')) return keys.some(({ format }) => keyPattern(format).test(word));
  const [, letters, number] = /^(?:([a-z]+)-|#)(\d{1,16})$/i.exec(word) ?? [];
  if (number === undefined || letters === undefined) return number !== undefined;
  const [first = '', ...nextLetters] = letters.toUpperCase();
  const name = labels.one.toUpperCase();
  return name.startsWith(first) && new RegExp(`^${[first, ...nextLetters].join('.*')}`).test(name);
}

/** Matches the keys of a format; a value of the record in it is any letters and digits. */
function keyPattern(format: string): RegExp {
  const parts = formatParts(format).map((part) =>
    'text' in part ? part.text.replace(/[^\w\s]/g, '\\$&') : part.path === numberPlace ? '\\d{1,10}' : '\\w+',
  );
  return new RegExp(`^${parts.join('')}$`, 'i');
}

/** Of choices whose keys begin with a key those that have it; all of them where titles have no keys. */
function withKey(choices: readonly Choice[], { fields, recordTitle }: Definition, key: string): readonly Choice[] {
  const isInTitle = Object.values(fields).some((field) => isSequence(field) && recordTitle.includes(`{${field.name}}`));
  return isInTitle
    ? choices.filter(({ title }) =>
        title
          .toUpperCase()
          .split(/[\s:,;()]+/)
          .includes(key.toUpperCase()),
      )
    : choices;
}

/** The records that a line may be about: the one of its key; else the one whose page is shown, those that its words name, and what is nearTargets. */
function useTargets(definition: Definition, target: Definition, { key, comment }: LogLine) {
  const ask = useApi();
  const { actor } = useDefinitions();
  const { pathname } = useLocation();
  const { relation } = timeFieldsOf(definition);
  const query = { resource: definition.name, field: relation.name };
  const load: ChoiceSource['load'] = (text, signal) =>
    loadChoices({ ...query, text, recentIds: recentlyChosen(actor.id, target.name) }, signal, ask);
  const source = { key: [definition.name, relation.name, 'time'], load, target };
  const nearTargets = useChoices(source, '', key === undefined);
  const namedTargets = useChoices(source, comment, key === undefined && comment.length > 2);
  const shownId = Number(
    matchPath(`/${target.name}/:id/:part?`, pathname)?.params.id?.replace(/\D.*/, '') || Number.NaN,
  );
  const hasSequence = Object.values(target.fields).some(isSequence);
  const number = key === undefined ? shownId : (parseId(/\d+$/.exec(key)?.[0] ?? '') ?? Number.NaN);
  const certainTargets = useQuery({
    queryKey: ['choices', ...source.key, 'certain', key ?? number],
    queryFn: ({ signal }) =>
      key !== undefined && hasSequence && !key.startsWith('#')
        ? loadChoices({ ...query, text: key, recentIds: 'none' }, signal, ask).then((answer) =>
            withKey(answer, target, key),
          )
        : loadChoices({ ...query, ids: [number] }, signal, ask),
    enabled: Number.isInteger(number),
    meta: { quiet: true },
  });
  const first = certainTargets.data ?? [];
  const choices =
    key === undefined ? [...first, ...(comment.length > 2 ? namedTargets.choices : []), ...nearTargets.choices] : first;
  return {
    choices: [...new Map(choices.map((choice) => [choice.id, choice])).values()].slice(0, mostChoices),
    loading:
      certainTargets.isLoading ||
      (key === undefined && (nearTargets.loading || (comment.length > 2 && namedTargets.loading))),
  };
}

/** When the time will be: after the last record of the day. */
function useFollowingTimes(definition: Definition, date: string, minutes: number | undefined) {
  const { actor } = useDefinitions();
  const provider = useDataProvider();
  const { data } = useQuery({
    queryKey: [definition.name, 'following', date, minutes],
    queryFn: async () =>
      (await loadFollowingTimes(provider, definition, actor, { date, minutes: minutes ?? 0 })) ?? null,
    enabled: minutes !== undefined,
    meta: { quiet: true },
  });
  return data ?? undefined;
}
