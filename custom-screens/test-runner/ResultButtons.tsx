import { resultFill, resultGround } from '../results/results';
import { personResults, resultActions, type PersonResult } from './runnerApi';
import * as styles from './runner.module.css';

interface ResultButtonsProps {
  label: string;
  value?: PersonResult;
  /** Shows the letters of the keys only. */
  short?: boolean;
  disabled?: boolean;
  onChoose: (result: PersonResult) => void;
}

/** The buttons Pass, Fail, Block and Skip. */
export function ResultButtons({ label, value, short = false, disabled, onChoose }: ResultButtonsProps) {
  return (
    <span className={styles.resultButtons} role="group" aria-label={label} data-short={short || undefined}>
      {personResults.map((result) => {
        const action = resultActions[result];
        return (
          <button
            key={result}
            type="button"
            style={
              value === result
                ? { ...resultGround(result), borderColor: resultFill(result, 'control').background }
                : undefined
            }
            disabled={disabled}
            aria-pressed={value === result}
            aria-label={action.label}
            title={short ? action.label : undefined}
            onClick={() => onChoose(result)}
          >
            {short ? action.key : action.label}
          </button>
        );
      })}
    </span>
  );
}
