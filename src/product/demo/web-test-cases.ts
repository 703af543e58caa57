import type { TestCaseTemplates } from './test-case-template';

/** Test cases of web applications. */
export const webTestCases: TestCaseTemplates = {
  'Password reset': [
    [
      'Reset link works only once',
      'Request a reset link;Open it and set a new password;Open the same link again',
      'The second attempt says that the link was used and offers a new one.',
      'The link works a second time and sets yet another password.',
    ],
    [
      'Reset for an unknown address reveals nothing',
      'Open "Forgot password";Enter an address without an account;Send',
      'The same message appears as for a known address, after the same time.',
      'The message says that the address is unknown.',
    ],
    [
      'New password must follow the displayed rules',
      'Open a reset link;Enter a password of seven characters;Save',
      'The rule that is broken turns red and nothing is saved.',
      'The form saves, but the password does not work.',
    ],
  ],
  'Two-factor': [
    [
      'One-time code is accepted only once',
      'Sign in with password and code;Sign out;Sign in again with the same code within 30 seconds',
      'The code is refused as already used.',
      'The second sign-in succeeds with the old code.',
    ],
    [
      'Recovery code replaces a lost phone',
      'Sign in with the password;Choose "Use a recovery code";Enter the first code of the list',
      'Signed in; the code is marked as used.',
      'The page shows "Something went wrong" and the code stays valid.',
    ],
    [
      'Phone with a wrong clock still signs in',
      'Set the phone two minutes ahead;Sign in with password and code',
      'The code is accepted within one step on either side.',
      'The code is refused until the clock is corrected.',
    ],
  ],
  'Session timeout': [
    [
      'Warning appears two minutes before the session ends',
      'Sign in;Leave the page alone for 28 minutes',
      'A dialog counts down and offers to stay signed in.',
      'The sign-in page appears without a warning.',
    ],
    [
      'Unsaved {thing} form survives the end of the session',
      'Fill in half of the {thing} form;Let the session end;Sign in again',
      'The form reopens with everything that was entered.',
      'The form is empty.',
    ],
    [
      'Signing out in one tab signs out in all of them',
      'Open the {thing} list in two tabs;Sign out in the first;Click anything in the second',
      'The second tab asks to sign in.',
      'The second tab keeps working until it is reloaded.',
    ],
  ],
  Filters: [
    [
      'Date range includes its first and last day',
      'Filter {things} from the 1st to the 7th;Count those of the 1st and of the 7th',
      '{Things} of both days are listed.',
      '{Things} of the 7th after 02:00 are missing.',
    ],
    [
      'Clearing filters shows all {things} again',
      'Set three filters;Press "Clear all"',
      'All {things} are listed and the URL has no filter.',
      'The status filter stays active until the page is reloaded.',
    ],
    [
      'Filtered list can be shared as a link',
      'Filter by status and owner;Copy the URL;Open it as another user',
      'The same filters are set, limited to what that user can see.',
      'The owner filter is lost.',
    ],
  ],
  'Result list': [
    [
      'Sorting by date keeps its order across pages',
      'Sort {things} by date;Open the first three pages',
      'No {thing} appears twice and none is missing.',
      'The last {thing} of page one appears again on page two.',
    ],
    [
      'Long names are cut with an ellipsis and a tooltip',
      'Open the list at 1280 pixels;Find a name of 120 characters',
      'The name ends in an ellipsis; the tooltip shows all of it.',
      'The name pushes the status column off the screen.',
    ],
    [
      'Empty result suggests what to do next',
      'Search for a text that no {thing} has',
      'A message says that nothing was found and offers to clear the search.',
      'The table is blank.',
    ],
  ],
  'Saved searches': [
    [
      'Saved search keeps filters and sorting',
      'Filter and sort {things};Save the search as "Mine";Open it from the menu',
      'Filters and sorting are as they were saved.',
      'The sorting is lost.',
    ],
    [
      'Two saved searches cannot have the same name',
      'Save a search as "Late";Save another one as "late"',
      'The name is refused and the first search is unchanged.',
      'The first search is overwritten without confirmation.',
    ],
    [
      'Deleting a saved search needs confirmation',
      'Open the menu of a saved search;Choose "Delete"',
      'The confirmation names the search; Cancel keeps it.',
      'The search is deleted immediately.',
    ],
  ],
  'Address form': [
    [
      'Post code is validated for its country',
      'Choose Germany;Enter the post code 1234;Leave the field',
      'A message asks for five digits.',
      'The form continues and fails on the last page.',
    ],
    [
      'Changing the country clears the state',
      'Choose United States and California;Change the country to Norway',
      'The state is empty and offers Norwegian counties.',
      'California is still chosen and is stored.',
    ],
    [
      'Address with an apostrophe is stored as typed',
      "Enter the street O'Connell Street;Save;Open the {thing} again",
      "The street is O'Connell Street.",
      'The street is O&#39;Connell Street.',
    ],
  ],
  Payment: [
    [
      'Pressing Pay twice charges once',
      'Enter a test card;Press Pay twice during a slow redirect',
      'One charge; the second press returns the first answer.',
      'Two charges appear in the bank\u2019s journal.',
    ],
    [
      'Declined card shows the reason and keeps the form',
      'Pay with the card that is always declined',
      'The message states the reason; all fields except the card stay filled.',
      'The form is empty and the message says "Error 402".',
    ],
    [
      'Partial refund recalculates the tax line',
      'Refund 30 of 100 euros;Open the receipt',
      'The tax is that of 70 euros.',
      'The receipt still shows the tax of 100 euros.',
    ],
  ],
  'Confirmation mail': [
    [
      'Mail is in the language of the {person}',
      'Set the language to German;Complete a {thing}',
      'Subject and text are German.',
      'The text is German, the subject English.',
    ],
    [
      'Link in the mail opens the {thing}',
      'Complete a {thing};Open the link of the mail in a private window;Sign in',
      'After signing in the {thing} is open.',
      'After signing in the home page is open.',
    ],
    [
      'A failed mail is sent again',
      'Stop the mail server;Complete a {thing};Start the server after five minutes',
      'The mail arrives within ten minutes, once.',
      'The mail never arrives.',
    ],
  ],
  Profile: [
    [
      'New email address must be confirmed',
      'Change the address;Do not open the mail;Sign in with the old address',
      'The old address signs in until the new one is confirmed.',
      'Neither address signs in.',
    ],
    [
      'Picture larger than 5 MB is refused',
      'Choose a photo of 8 MB;Save',
      'A message names the limit; the old picture stays.',
      'The page waits for a minute and shows nothing.',
    ],
    [
      'Name with accents shows everywhere',
      'Set the name to Zoë Åström;Open the {thing} list and a receipt',
      'The name is correct on both.',
      'The receipt shows Zo? ?str?m.',
    ],
  ],
  Preferences: [
    [
      'Time zone changes all times on the page',
      'Set the zone to Tokyo;Open a {thing}',
      'All times are in Tokyo time, and the zone is shown once.',
      'The history still shows UTC.',
    ],
    [
      'Dark theme stays after signing in again',
      'Choose the dark theme;Sign out and in',
      'The page is dark from the first paint.',
      'The page flashes white before it turns dark.',
    ],
    [
      'Switched-off mails are not sent',
      'Switch off "News about my {things}";Change a {thing} as another user',
      'No mail, but a notification in the application.',
      'A mail is sent anyway.',
    ],
  ],
  Downloads: [
    [
      'Spreadsheet contains what the list shows',
      'Filter {things};Download the spreadsheet;Compare row by row',
      'Same rows, same order, same columns.',
      'The spreadsheet ignores the filter.',
    ],
    [
      'Download of 20,000 {things} does not block the page',
      'Start a download of everything;Continue working',
      'The page stays responsive; the file arrives in the background.',
      'The page freezes for eleven seconds.',
    ],
    [
      'Cell that begins with an equals sign stays text',
      'Name a {thing} =1+1;Download the spreadsheet and open it',
      'The cell shows =1+1.',
      'The cell shows 2.',
    ],
  ],
  Keyboard: [
    [
      'Form can be filled without a mouse',
      'Open the {thing} form;Use Tab, arrows and Enter alone',
      'Every field can be reached in order and the form can be saved.',
      'Focus is trapped in the date picker.',
    ],
    [
      'Escape closes the dialog and focus returns',
      'Open "Filters" with Enter;Press Escape',
      'The dialog closes and the button has the focus.',
      'Focus jumps to the top of the page.',
    ],
    [
      'Focus is always visible',
      'Go through the page with Tab',
      'A ring shows where the focus is, in both themes.',
      'The ring cannot be seen on blue buttons.',
    ],
  ],
  'Screen reader': [
    [
      'Validation errors are announced',
      'Leave a required field empty;Save with a screen reader on',
      'The number and names of the invalid fields are announced.',
      'Nothing is announced.',
    ],
    [
      'Status chips have a text',
      'Read the list with a screen reader',
      'Each status is read as a word.',
      'The chip is read as "graphic".',
    ],
    [
      'Table headers are read with their cells',
      'Walk through a row with the screen reader',
      'Column name and value are read together.',
      'Values are read without their column.',
    ],
  ],
};
