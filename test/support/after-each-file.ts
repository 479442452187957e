import { afterAll } from "vitest";
import { removeAgain } from "./home.ts";

afterAll(removeAgain);
