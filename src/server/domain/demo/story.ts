/**
 * A test case as a tester tells it: what is tested, the steps (parted by `;`), what should happen, and what happens
 * where it fails. `{thing}`, `{things}` and `{person}` stand for what the project is about.
 */
export type Story = readonly [title: string, steps: string, expected: string, failing: string];

/** Stories by the name of the part of a project that they test. */
export type Stories = Readonly<Record<string, readonly Story[]>>;
