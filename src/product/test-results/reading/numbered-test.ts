import { formerIdentityOf, identityOf, type ParsedTest } from './parsed-test';

type TestFacts = Omit<ParsedTest, 'attempts'>;

/** A test as the database takes it: its name and identity say which it is of those that are the same otherwise. */
export interface NumberedTest extends TestFacts {
  /** The name without a number. */
  readonly plain_name: string;
  readonly order: number;
  readonly former_order: number;
  readonly identity: string;
  readonly former: string;
}

/** Numbers a test among those that are the same otherwise, from 1; `formerOrder` is its number in earlier versions. */
export function numberedTest(test: TestFacts, order: number, formerOrder: number): NumberedTest {
  const { name, suite, path, file, parameters, explicit_id } = test;
  const facts = { name, suite, path, file, parameters, explicit_id };
  return {
    ...facts,
    name: order === 1 ? name : `${name} (${order})`,
    plain_name: name,
    order,
    former_order: formerOrder,
    identity: identityOf(facts, order),
    former: formerIdentityOf(facts, formerOrder),
  };
}
