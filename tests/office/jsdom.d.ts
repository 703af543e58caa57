/** What is used here of a package that brings no types. */
declare module 'jsdom' {
  export class JSDOM {
    readonly window: { readonly document: Document };
  }
}
