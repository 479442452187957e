import { afterAll } from "vitest";
import { removeHomes } from "./home.ts";

afterAll(removeHomes);
