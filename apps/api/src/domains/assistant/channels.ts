/** Channels of notifications about the assistant's replies. */

/** Reply id: it has more pieces. */
export const ASSISTANT_REPLY = 'assistant_reply';
/** Reply id: whoever writes it is to stop. */
export const ASSISTANT_STOP = 'assistant_stop';
