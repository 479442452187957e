import { TowowError } from "../errors.ts";

/** The mock backend cannot keep its data there. Params: `file`, `reason` (an errno, or what is wrong with it). */
export class MockDataUnusable extends TowowError {
  readonly code = "tool.config.unavailable.mock_data";
}
