import { formatNumber } from '../../src/engine/formats/numbers';
import { Icon } from '../../src/app/icons/Icon';
import {
  listedResults,
  resultGlyphs,
  resultNames,
  resultText,
  type ResultCounts,
  type ResultName,
  resultColours,
  resultOrder,
} from './results';
import * as styles from './results.module.css';

/** Text in the colour of a result. */
const resultStyle = (result: ResultName) => resultText(result, result === 'skipped' ? 't2' : 't3');

/** A result as its glyph in its colour. */
export function ResultGlyph({ result, hasLabel = false }: { result: ResultName; hasLabel?: boolean }) {
  return (
    <span className={styles.resultGlyph} style={resultStyle(result)}>
      <Icon name={resultGlyphs[result]} size={14} label={hasLabel ? resultNames[result] : undefined} />
    </span>
  );
}

/** Each result with its glyph, word and number; as in a sentence: `8 passed`. */
export function ResultNumbers({ counts, isSentence = false }: { counts: ResultCounts; isSentence?: boolean }) {
  return (
    <ul className={styles.resultNumbers} data-sentence={isSentence || undefined}>
      {listedResults(counts).map((name) => (
        <li key={name} style={resultStyle(name)}>
          <ResultGlyph result={name} />
          {!isSentence && <span>{resultNames[name]}</span>}
          <b className="num">{formatNumber(counts[name])}</b>
          {isSentence && <span>{resultNames[name].toLowerCase()}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The results that occur, each as glyph and number. */
export function ShortNumbers({ counts }: { counts: ResultCounts }) {
  return (
    <span className={styles.resultShort}>
      {listedResults(counts)
        .filter((name) => counts[name] > 0)
        .map((name) => (
          <span key={name} style={resultStyle(name)} title={resultNames[name]}>
            <ResultGlyph result={name} hasLabel />
            <span className="num">{formatNumber(counts[name])}</span>
          </span>
        ))}
    </span>
  );
}

interface ResultBarProps {
  counts: ResultCounts;
  /** 16, 8 or 6 pixels high. */
  size?: 'large' | 'normal' | 'small';
}

/** Results as parts of a bar: Passed, Failed, Blocked, Skipped, Not run, always in this order. */
export function ResultBar({ counts, size = 'normal' }: ResultBarProps) {
  const presentResults = resultOrder.filter((name) => counts[name] > 0);
  const words = presentResults.map((name) => `${formatNumber(counts[name])} ${resultNames[name].toLowerCase()}`);
  return (
    <span className={styles.resultBar} data-size={size} role="img" aria-label={words.join(', ') || 'No tests'}>
      {presentResults.map((name) => (
        <i key={name} style={{ flexGrow: counts[name], background: `var(--${resultColours[name]})` }} />
      ))}
    </span>
  );
}
