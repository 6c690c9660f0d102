# Rscript public_tables.R                 prints the names of the cases
# Rscript public_tables.R NAME FOLDER     writes one case
#
# A case is a public table of R's packages `datasets` and `MASS`, a model of it, and a division of its rows into sites.
# The folder gets the tables of the sites, their schema, a configuration of driftless, and `expected.tsv` with what R
# finds for all rows in one table: coefficients, errors, tests and intervals, deviances, AIC.
suppressMessages(library(MASS))

# ---- The rows of a case -----------------------------------------------------------------------------------------------

# Sites of given sizes, in an order without a pattern that is the same everywhere.
in_sites <- function(n, sizes) {
  order <- order((seq_len(n) * 7919) %% 10007, seq_len(n))
  site <- integer(n)
  site[order] <- rep(seq_along(sizes), times = sizes)
  site
}
# k sites, the first of which has the fewest rows.
rising <- function(n, k) {
  sizes <- floor(n * seq_len(k) / sum(seq_len(k)))
  sizes[k] <- n - sum(sizes[-k])
  in_sites(n, sizes)
}

# Two rows for each group, weighted by the counts of its outcomes.
in_outcomes <- function(groups, counts, names) {
  rows <- rbind(groups, groups)
  rows$outcome <- factor(rep(names, each = nrow(groups)), levels = names)
  rows$rows <- unlist(counts)
  rows
}

cases <- list(
  mtcars = list(family = "logistic", label = "am", variables = c("wt", "hp"),
                data = transform(mtcars, am = factor(am)), site = function(d) rising(nrow(d), 2)),
  infert = list(family = "logistic", label = "case",
                variables = c("age", "parity", "education", "induced", "spontaneous"),
                data = transform(infert, case = factor(case)), site = function(d) rising(nrow(d), 6)),
  birthwt = list(family = "logistic", label = "low",
                 variables = c("age", "lwt", "race", "smoke", "ptl", "ht", "ui", "ftv"),
                 data = transform(birthwt, low = factor(low), race = factor(race)),
                 site = function(d) rising(nrow(d), 7)),
  pima = list(family = "logistic", label = "type",
              variables = c("npreg", "glu", "bp", "skin", "bmi", "ped", "age"), data = Pima.tr2,
              site = function(d) rising(nrow(d), 10)),
  esoph = list(family = "logistic", label = "outcome", variables = c("agegp", "alcgp", "tobgp"), weight = "rows",
               data = in_outcomes(esoph[c("agegp", "alcgp", "tobgp")], list(esoph$ncontrols, esoph$ncases),
                                  c("control", "case")), site = function(d) rising(nrow(d), 11)),
  swiss = list(family = "least-squares", label = "Fertility",
               variables = c("Agriculture", "Examination", "Education", "Catholic", "Infant.Mortality"), data = swiss,
               site = function(d) rising(nrow(d), 5)),
  airquality = list(family = "least-squares", label = "Ozone", variables = c("Solar.R", "Wind", "Temp", "Month"),
                    data = transform(airquality, Month = factor(Month)), site = function(d) as.integer(d$Month)),
  states = list(family = "least-squares", label = "Income", variables = c("Illiteracy", "HS.Grad", "region"),
                weight = "Population", data = data.frame(state.x77, region = state.region),
                site = function(d) as.integer(state.division)),
  longley = list(family = "least-squares", label = "Employed",
                 variables = c("GNP.deflator", "GNP", "Unemployed", "Armed.Forces", "Population", "Year"),
                 data = longley, site = function(d) rising(nrow(d), 3)),
  warpbreaks = list(family = "poisson", label = "breaks", variables = c("wool", "tension"), data = warpbreaks,
                    site = function(d) rising(nrow(d), 3)),
  quine = list(family = "poisson", label = "Days", variables = c("Eth", "Sex", "Age", "Lrn"), data = quine,
               site = function(d) rising(nrow(d), 4)),
  insurance = list(family = "poisson", label = "Claims", variables = c("District", "Group", "Age"),
                   offset = "log.Holders", data = transform(Insurance, log.Holders = log(Holders)),
                   site = function(d) rising(nrow(d), 8)),
  insects = list(family = "poisson", label = "count", variables = "spray", data = InsectSprays,
                 site = function(d) (seq_len(nrow(d)) + 7) %/% 8),
  trees = list(family = "gamma", label = "Volume", variables = c("Girth", "Height"), data = trees,
               site = function(d) in_sites(nrow(d), c(1, 30))),
  quakes = list(family = "gamma", label = "stations", variables = c("lat", "long", "depth", "mag"), data = quakes,
                site = function(d) rising(nrow(d), 20)),
  chickens = list(family = "gamma", label = "weight", variables = c("Time", "Diet"), data = as.data.frame(ChickWeight),
                  site = function(d) rising(nrow(d), 12)),
  housing = list(family = "multinomial", label = "Sat", variables = c("Infl", "Type", "Cont"), weight = "Freq",
                 data = housing, site = function(d) rising(nrow(d), 6)),
  iris = list(family = "multinomial", label = "Species", variables = "Sepal.Width", data = iris,
              site = function(d) rising(nrow(d), 5)),
  stackloss = list(family = "huber", label = "stack.loss", variables = c("Air.Flow", "Water.Temp", "Acid.Conc."),
                   keys = "delta = 2", delta = 2, data = stackloss, site = function(d) rising(nrow(d), 4)),
  cars = list(family = "quantile", label = "dist", variables = "speed", keys = "delta = 3\ntau = 0.75", delta = 3,
              tau = 0.75, data = cars, site = function(d) rising(nrow(d), 5)),
  pima_hinge = list(family = "squared-hinge", label = "type",
                    variables = c("npreg", "glu", "bp", "skin", "bmi", "ped", "age"), data = Pima.tr,
                    site = function(d) rising(nrow(d), 9)))

# Like glm, only rows without missing cells; rows of weight zero have no effect.
complete_rows <- function(case) {
  used <- c(case$label, case$variables, case$weight, case$offset)
  data <- case$data[complete.cases(case$data[used]), , drop = FALSE]
  if (!is.null(case$weight)) data <- data[data[[case$weight]] > 0, , drop = FALSE]
  data
}

# ---- What driftless is given --------------------------------------------------------------------------------------------

quoted <- function(texts) paste0('"', texts, '"')

column_text <- function(case, name) {
  cells <- case$data[[name]]
  role <- if (name == case$label) "label"
          else if (name %in% case$weight) "weight"
          else if (name %in% case$offset) "offset"
          else if (is.factor(cells)) "categorical" else "numeric"
  text <- c("[[column]]", paste("name =", quoted(name)), paste("role =", quoted(role)))
  # Where the levels are in the order of their bytes the sites find them on their own.
  found_alike <- is.factor(cells) && identical(levels(cells), sort(levels(cells), method = "radix"))
  if (is.factor(cells) && !found_alike)
    text <- c(text, paste0("levels = [", paste(quoted(levels(cells)), collapse = ", "), "]"))
  if (role %in% c("categorical", "numeric")) text <- c(text, 'missing = "drop"')
  text
}

write_tables <- function(case, folder) {
  columns <- c(case$variables, case$label, case$weight, case$offset)
  site <- case$site(case$data)
  files <- character()
  for (k in sort(unique(site))) {
    files <- c(files, sprintf("site-%02d.csv", k))
    table <- case$data[site == k, columns, drop = FALSE]
    for (name in columns) if (is.numeric(table[[name]])) {
      missing <- is.na(table[[name]])
      table[[name]] <- sprintf("%.17g", table[[name]])
      table[[name]][missing] <- NA
    }
    write.csv(table, file.path(folder, files[length(files)]), row.names = FALSE)
  }
  writeLines(unlist(lapply(columns, column_text, case = case)), file.path(folder, "schema.toml"))
  writeLines(c("[problem]", 'kind = "glm"', paste("family =", quoted(case$family)), 'schema = "schema.toml"', case$keys,
               "[federation]", paste0("files = [", paste(quoted(files), collapse = ", "), "]"),
               "[stop]", "rounds = 100", "grad_norm = 1e-12"),
             file.path(folder, "case.toml"))
}

# ---- What R finds -------------------------------------------------------------------------------------------------------

# The variables in the order and with the names of driftless; the first level of a factor is the reference.
design_of <- function(case, data) {
  X <- matrix(1, nrow(data), 1, dimnames = list(NULL, "(intercept)"))
  for (name in case$variables) {
    cells <- data[[name]]
    for (level in if (is.factor(cells)) levels(cells)[-1] else "") {
      X <- cbind(X, if (is.factor(cells)) as.numeric(cells == level) else cells)
      colnames(X)[ncol(X)] <- if (is.factor(cells)) paste0(name, "=", level) else name
    }
  }
  X
}

rows_of <- function(case) {
  data <- complete_rows(case)
  column <- function(name, otherwise) if (is.null(name)) rep(otherwise, nrow(data)) else as.numeric(data[[name]])
  y <- data[[case$label]]
  list(X = design_of(case, data), y = if (is.factor(y)) as.integer(y) - 1L else as.numeric(y), classes = levels(y),
       weight = column(case$weight, 1), offset = column(case$offset, 0),
       site = case$site(case$data)[match(rownames(data), rownames(case$data))])
}

glm_family <- function(name)
  switch(name, logistic = binomial(), "least-squares" = gaussian(), poisson = poisson(), gamma = Gamma("log"))

# glm stops by the deviance, one step before the coefficients are exact, and its errors are those of the step before.
# Started again from its own result it makes another step.
fit_glm <- function(rows, family) {
  control <- glm.control(epsilon = 1e-14, maxit = 100)
  fit_from <- function(start) glm(rows$y ~ 0 + rows$X, family = family, weights = rows$weight, offset = rows$offset,
                                  start = start, control = control)
  fit <- fit_from(NULL)
  for (step in 1:10) fit <- fit_from(coef(fit))
  fit
}

of_glm <- function(rows, name) {
  family <- glm_family(name)
  fit <- fit_glm(rows, family)
  overview <- summary(fit)
  with_intercept <- all(rows$offset == 0)
  null <- if (with_intercept) glm(rows$y ~ 1, family = family, weights = rows$weight,
                                  control = glm.control(epsilon = 1e-14, maxit = 100))$deviance
  # (X'WX)⁻¹ x_j w_j r_j with the working weights and residuals, by √W X = QR: R⁻¹ q_j √w_j r_j.
  influence <- t(backsolve(qr.R(fit$qr), t(qr.Q(fit$qr)))) * sqrt(fit$weights) * residuals(fit, "working")
  list(x = unname(coef(fit)), names = colnames(rows$X), model = unname(overview$cov.scaled), influence = influence,
       degrees = if (name %in% c("least-squares", "gamma")) fit$df.residual else Inf,
       facts = c(deviance = fit$deviance, null_deviance = null, degrees = fit$df.residual, aic = fit$aic,
                 dispersion = overview$dispersion))
}

# Newton's method on Σ_j weight_j loss_j, with halved steps; `at` gives value, gradient of each row and Hessian.
minimize <- function(at, x) {
  now <- at(x)
  for (round in 1:200) {
    g <- colSums(now$scores)
    step <- -solve(now$hessian + diag(1e-300, length(x)), g)
    for (halving in 0:60) {
      trial <- at(x + step / 2^halving)
      if (trial$value <= now$value + 1e-15 * abs(now$value)) break
    }
    done <- max(abs(step)) <= 1e-15 * max(abs(x))
    x <- x + step / 2^halving
    now <- trial
    if (done) break
  }
  c(list(x = x), now)
}

of_classes <- function(rows) {
  K <- length(rows$classes)
  d <- ncol(rows$X)
  at <- function(x) {
    eta <- cbind(0, rows$X %*% matrix(x, d))
    top <- apply(eta, 1, max)
    log_sum <- top + log(rowSums(exp(eta - top)))
    p <- exp(eta - log_sum)
    of_label <- cbind(seq_along(rows$y), rows$y + 1)
    miss <- p
    miss[of_label] <- miss[of_label] - 1
    hessian <- matrix(0, d * (K - 1), d * (K - 1))
    for (k in 2:K) for (l in 2:K) {
      w <- rows$weight * p[, k] * ((k == l) - p[, l])
      hessian[(k - 2) * d + 1:d, (l - 2) * d + 1:d] <- crossprod(rows$X, w * rows$X)
    }
    list(value = sum(rows$weight * (log_sum - eta[of_label])), hessian = hessian,
         scores = do.call(cbind, lapply(2:K, function(k) rows$weight * miss[, k] * rows$X)))
  }
  found <- minimize(at, rep(0, d * (K - 1)))
  share <- tapply(rows$weight, factor(rows$y, 0:(K - 1)), sum)
  inverse <- chol2inv(chol(found$hessian))
  list(x = found$x, names = as.vector(outer(colnames(rows$X), rows$classes[-1], function(v, c) paste0(c, ": ", v))),
       model = inverse, influence = found$scores %*% inverse, degrees = Inf,
       facts = c(deviance = 2 * found$value, null_deviance = -2 * sum(share * log(share / sum(share))),
                 degrees = length(rows$y) - length(found$x), aic = 2 * found$value + 2 * length(found$x),
                 dispersion = 1))
}

# Value, slope and curvature of the losses that are no likelihoods, as functions of the residual or the margin.
robust_loss <- function(case) {
  delta <- case$delta
  tau <- case$tau
  switch(case$family,
    huber = function(eta, y) {
      r <- eta - y
      list(ifelse(abs(r) <= delta, r^2 / 2, delta * abs(r) - delta^2 / 2), pmax(-delta, pmin(delta, r)),
           as.numeric(abs(r) <= delta))
    },
    quantile = function(eta, y) {
      r <- eta - y
      near <- abs(r) <= delta
      list(ifelse(near, r^2 / (4 * delta) + delta / 4, abs(r) / 2) - (tau - 0.5) * r,
           ifelse(near, r / (2 * delta), sign(r) / 2) - (tau - 0.5), near / (2 * delta))
    },
    "squared-hinge" = function(eta, y) {
      sign <- 2 * y - 1
      miss <- pmax(0, 1 - sign * eta)
      list(miss^2 / 2, -sign * miss, as.numeric(miss > 0))
    })
}

# The sign of the residual of Huber's loss and of quantiles is that of driftless: prediction minus label.
of_robust <- function(case, rows) {
  loss <- robust_loss(case)
  at <- function(x) {
    parts <- loss(as.vector(rows$X %*% x), rows$y)
    list(value = sum(rows$weight * parts[[1]]), scores = rows$weight * parts[[2]] * rows$X,
         hessian = crossprod(rows$X, rows$weight * parts[[3]] * rows$X))
  }
  start <- coef(lm(rows$y ~ 0 + rows$X))
  found <- minimize(at, unname(start))
  list(x = found$x, names = colnames(rows$X), model = NULL, influence = found$scores %*% chol2inv(chol(found$hessian)),
       degrees = Inf, facts = c(degrees = length(rows$y) - length(found$x)))
}

write_expected <- function(case, folder) {
  rows <- rows_of(case)
  fit <- if (case$family == "multinomial") of_classes(rows)
         else if (is.null(glm_family(case$family))) of_robust(case, rows) else of_glm(rows, case$family)
  S <- length(unique(case$site(case$data)))
  # The sandwiches: what each row, or each site, moves the coefficients by.
  covariance <- list(model = fit$model, row = crossprod(fit$influence),
                     site = S / (S - 1) * crossprod(rowsum(fit$influence, rows$site)))
  number <- function(x) sprintf("%.17g", x)
  lines <- c(paste("fact", "rows", nrow(rows$X), sep = "\t"), paste("fact", "sites", S, sep = "\t"))
  for (name in names(fit$facts)) lines <- c(lines, paste("fact", name, number(fit$facts[[name]]), sep = "\t"))
  for (source in names(Filter(Negate(is.null), covariance))) {
    error <- sqrt(diag(covariance[[source]]))
    degrees <- if (source == "site") S - 1 else fit$degrees
    statistic <- fit$x / error
    width <- qt(0.975, degrees) * error
    lines <- c(lines, paste(source, fit$names, number(fit$x), number(error), number(statistic),
                            number(2 * pt(-abs(statistic), degrees)), number(fit$x - width), number(fit$x + width),
                            sep = "\t"))
  }
  writeLines(lines, file.path(folder, "expected.tsv"))
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 0) {
  writeLines(names(cases))
} else {
  case <- cases[[arguments[1]]]
  write_tables(case, arguments[2])
  write_expected(case, arguments[2])
}
