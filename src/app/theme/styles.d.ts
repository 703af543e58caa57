/** Classes of a CSS Module by their names in camelCase. tests/architecture/styles.test.ts checks that each exists. */
declare module '*.module.css' {
  const styles: Readonly<Record<string, string>>;
  export = styles;
}
