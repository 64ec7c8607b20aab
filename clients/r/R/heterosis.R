# Heterosis from R: upload files, start runs, wait for them and fetch their results. Needs R 4.0 and jsonlite.
#
#   source("heterosis.R")  # or library(heterosis)
#   server <- hx_server("https://heterosis.example.org", "hx_...")  # or HETEROSIS_SERVER and HETEROSIS_TOKEN
#   project <- hx_project(server, "Maize 2026")
#   panel <- hx_upload(project, "panel.vcf.gz", "GENOTYPE")
#   trials <- hx_upload(project, "trials.csv", "PHENOTYPE")
#   model <- hx_train(project, "Yield 2026", panel, trials, "Yield")
#   hx_wait(project, model)
#   hx_download(project, model, "yield.zip")
#
# Every failure is an R error whose message says what happened and what to do.

#' A server, and the access token by which it knows you.
hx_server <- function(server = Sys.getenv("HETEROSIS_SERVER"), token = Sys.getenv("HETEROSIS_TOKEN")) {
  if (server == "" || token == "") stop("Give a server and a token, or set HETEROSIS_SERVER and HETEROSIS_TOKEN.")
  list(url = sub("/+$", "", server), token = token)
}

#' Calls the API and returns the parsed answer: hx_call(server, "GET", "/projects").
hx_call <- function(server, method, path, body = NULL) {
  target <- tempfile()
  on.exit(unlink(target))
  headers <- c(authorization = paste("Bearer", server$token))
  file <- NULL
  if (!is.null(body)) {
    headers <- c(headers, `content-type` = "application/json")
    file <- tempfile()
    on.exit(unlink(file), add = TRUE)
    writeLines(jsonlite::toJSON(body, auto_unbox = TRUE, null = "null", digits = NA), file, useBytes = TRUE)
  }
  hx_send(method, paste0(server$url, "/api", path), headers, file, target)
  size <- file.size(target)
  if (is.na(size) || size == 0) return(invisible(NULL))
  jsonlite::fromJSON(target, simplifyVector = FALSE)
}

#' All rows of a list, page by page.
hx_rows <- function(server, path, query = list()) {
  rows <- list()
  cursor <- NULL
  repeat {
    asked <- c(query, list(limit = "500"), if (!is.null(cursor)) list(cursor = cursor))
    values <- vapply(asked, function(one) utils::URLencode(as.character(one), reserved = TRUE), "")
    page <- hx_call(server, "GET", paste0(path, "?", paste0(names(asked), "=", values, collapse = "&")))
    rows <- c(rows, page$data)
    cursor <- page$next_cursor
    if (is.null(cursor)) return(rows)
  }
}

#' A project by its name or id.
hx_project <- function(server, name) {
  if (!is.list(server) || is.null(server$url)) {
    stop("hx_project needs the server first: hx_project(hx_server(), \"Maize 2026\").", call. = FALSE)
  }
  if (missing(name)) stop("hx_project needs the name or id of a project: hx_project(server, \"Maize 2026\").", call. = FALSE)
  row <- hx_one(hx_rows(server, "/projects"), name, "project")
  list(server = server, id = row$id, name = row$name, path = paste0("/projects/", row$id))
}

#' A file of a project by its name or id.
hx_file <- function(project, name) hx_one(hx_rows(project$server, paste0(project$path, "/files")), name, "file")

#' Sends a file and waits for its check. `type`: GENOTYPE, PHENOTYPE, CROSSING_TABLE, LINKAGE_MAP, PEDIGREE or GENES.
hx_upload <- function(project, file, type, name = basename(file)) {
  link <- hx_call(project$server, "POST", paste0(project$path, "/files/upload_link"),
                  list(file_type = type, content_type = "application/octet-stream", size_bytes = file.size(file)))
  hx_send("PUT", link$put_url, c(`content-type` = "application/octet-stream"), file, tempfile())
  made <- hx_call(project$server, "POST", paste0(project$path, "/files"),
                  list(name = name, file_id = link$file_id, file_type = type))
  path <- paste0(project$path, "/files/", made$id)
  repeat {
    row <- hx_call(project$server, "GET", path)
    if (!row$status %in% c("UPLOADED", "CHECKING")) break
    Sys.sleep(1)
  }
  if (row$status == "INVALID") {
    problems <- hx_call(project$server, "GET", paste0(path, "/problems?limit=5"))$data
    stop(paste(vapply(problems, function(one) paste(one$code, one$message), ""), collapse = "; "))
  }
  row
}

#' Starts a run of any kind, said as in its address: models, gwas. Kinds and fields are those of the API's page.
hx_start <- function(project, kind, name, ...) {
  run <- hx_call(project$server, "POST", paste0(project$path, "/", kind), c(list(name = name), list(...)))
  run$kind <- kind
  run
}

#' Trains and evaluates a model for each trait.
hx_train <- function(project, name, genotype, phenotype, traits, ...) {
  hx_start(project, "models", name, genotype_id = genotype$id, phenotype_id = phenotype$id,
           traits = as.list(traits), ...)
}

#' Predicts the individuals of a genotype with a model.
hx_predict <- function(project, name, model, genotype, ...) {
  hx_start(project, "predictions", name, model_id = model$id, genotype_id = genotype$id, ...)
}

#' Tests every marker for association with each trait.
hx_gwas <- function(project, name, genotype, phenotype, traits, ...) {
  hx_start(project, "gwas", name, genotype_id = genotype$id, phenotype_id = phenotype$id,
           traits = as.list(traits), ...)
}

#' Predicts and simulates the progeny of the crosses of a table.
hx_cross <- function(project, name, model, genotype, crossing_table, ...) {
  hx_start(project, "crossing_simulations", name, model_id = model$id, genotype_id = genotype$id,
           crossing_table_id = crossing_table$id, ...)
}

#' Waits for the end of a run; an error when it, or one of its traits, has failed.
hx_wait <- function(project, run) {
  # A trained trait of a model has the state SUCCESS until its evaluation has ended as well.
  ended <- c("EVALUATED", "ERROR", if (run$kind != "models") "SUCCESS")
  repeat {
    now <- hx_call(project$server, "GET", hx_address(project, run))
    if (all(unlist(now$status) %in% ended)) break
    Sys.sleep(1)
  }
  # `$` would take error_extras for error_extra.
  errors <- Filter(Negate(is.null), c(now[["error_extras"]], list(now[["error_extra"]])))
  if (length(errors) > 0) stop(paste(vapply(errors, function(one) one$message, ""), collapse = "; "))
  now$kind <- run$kind
  now
}

#' The rows of the results of a run as a data frame: hx_results(project, gwas, trait = "Yield", max_p = "1e-5").
hx_results <- function(project, run, ...) {
  rows <- hx_rows(project$server, paste0(hx_address(project, run), "/results"), list(...))
  jsonlite::fromJSON(jsonlite::toJSON(rows, auto_unbox = TRUE, null = "null", digits = NA))
}

#' Saves a zip of everything: results, parameters, SHA-256 of the inputs, seed, version.
hx_download <- function(project, run, target) {
  headers <- c(authorization = paste("Bearer", project$server$token))
  url <- paste0(project$server$url, "/api", hx_address(project, run), "/bundle")
  part <- paste0(target, ".part")
  on.exit(unlink(part))
  hx_send("GET", url, headers, NULL, part)
  if (!file.rename(part, target)) stop("Could not write ", target, ".")
  invisible(target)
}

hx_address <- function(project, run) paste0(project$path, "/", run$kind, "/", run$id)

hx_one <- function(rows, name, noun) {
  found <- Filter(function(row) row$id == name, rows)
  if (length(found) == 0) found <- Filter(function(row) row$name == name, rows)
  if (length(found) == 0) stop("There is no ", noun, " \"", name, "\".")
  if (length(found) > 1) stop("Several ", noun, "s are called \"", name, "\": give the id.")
  found[[1]]
}

# Base R sends no request but GET, so the program curl is called. The headers go through a file that only you can read:
# the arguments of a program are seen by everybody on the machine. Waits where the server asks for it.
hx_send <- function(method, url, headers, file, target) {
  config <- tempfile()
  answered <- tempfile()
  on.exit(unlink(c(config, answered)))
  file.create(config)
  Sys.chmod(config, "600")
  quoted <- function(text) paste0("\"", gsub("([\"\\\\])", "\\\\\\1", text), "\"")
  lines <- c(
    paste("url =", quoted(url)),
    paste("request =", quoted(method)),
    paste("output =", quoted(target)),
    paste("dump-header =", quoted(answered)),
    paste("header =", vapply(paste0(names(headers), ": ", headers), quoted, "")),
    if (!is.null(file) && method == "PUT") paste("upload-file =", quoted(normalizePath(file))),
    if (!is.null(file) && method != "PUT") paste("data-binary =", quoted(paste0("@", file)))
  )
  writeLines(lines, config, useBytes = TRUE)
  repeat {
    said <- suppressWarnings(system2("curl", c("-sS", "-q", "-w", shQuote("%{http_code}"), "-K", shQuote(config)),
                                     stdout = TRUE, stderr = TRUE))
    status <- suppressWarnings(as.integer(said[length(said)]))
    if (is.na(status) || !is.null(attr(said, "status"))) stop(paste(said, collapse = " "))
    if (!status %in% c(429, 503)) break
    wait <- grep("^retry-after:", readLines(answered, warn = FALSE), ignore.case = TRUE, value = TRUE)
    Sys.sleep(if (length(wait) == 0) 5 else as.numeric(gsub("[^0-9]", "", wait[1])))
  }
  if (status >= 300) {
    problem <- tryCatch(jsonlite::fromJSON(target), error = function(error) list())
    detail <- if (is.null(problem$detail)) paste("the server answered with", status) else problem$detail
    stop(detail, if (is.null(problem$code)) "" else paste0(" (", problem$code, ")"), call. = FALSE)
  }
}
