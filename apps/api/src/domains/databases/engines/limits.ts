/** Sessions that one database may have at once. */
export const CONNECTION_LIMIT = 20;

/** Connections to one database beside these, whose password its server is still to see. */
export const UNPROVEN_LIMIT = 15;

/** What a statement may take, unless its session asks for another limit. */
export const STATEMENT_TIMEOUT_SECONDS = 60;
