import { MarkdownText } from '../../src/app/fields/markdown/MarkdownText';
import type { SharedStep, SharedTestCase } from './loadSharedTestCase';
import * as styles from './steps.module.css';

/** The steps of a test case, numbered, each with its data and what is expected. */
export function SharedSteps({ steps, pictures }: Pick<SharedTestCase, 'pictures'> & { steps: readonly SharedStep[] }) {
  return (
    <ol className={styles.sharedSteps}>
      {steps.map(({ action, data, expected: expectedResult }, index) => (
        <li key={index}>
          {action && (
            <p>
              <MarkdownText text={action} pictures={pictures} />
            </p>
          )}
          {data && (
            <p>
              <b>Data:</b> <MarkdownText text={data} pictures={pictures} />
            </p>
          )}
          {expectedResult && (
            <p>
              <b>Expected:</b> <MarkdownText text={expectedResult} pictures={pictures} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
